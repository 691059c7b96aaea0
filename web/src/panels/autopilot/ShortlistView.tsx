/** Robots in question side by side, and which others fit. */

import { useQuery } from "@tanstack/react-query";
import { ListPlus } from "lucide-react";
import { Scroll } from "../../ui/Scroll";
import { autopilot, type Compared, dollars, type Estimate, type Recommendation, type View } from "./api";
import type { Act } from "./DecisionAside";
import { named, said } from "./spoken";
import { payback, w } from "./words";

interface Props {
  view: View;
  idle: boolean;
  act: Act;
}

export function ShortlistView({ view, idle, act }: Props) {
  const { robots, stakeholders, next_step: next } = view.shortlist;
  const key = ["autopilot", view.conversation_id, view.roi.edits, view.discovery_state];
  const compared = useQuery({
    queryKey: [...key, "compared", robots],
    queryFn: () => autopilot.calculate(view.conversation_id, view.roi.edits, robots),
    enabled: robots.length > 0,
    placeholderData: (before) => before,
  });
  const fits = useQuery({
    queryKey: [...key, "fits"],
    queryFn: () => autopilot.recommend(view.conversation_id, view.roi.edits),
  });
  // Before the figures, nothing can be put on the list.
  const may = idle && view.phase !== "discovery";
  return (
    <>
      {robots.length === 0 ? (
        <section className="empty">
          <h3>{w("emptyList")}</h3>
          <p className="muted">{w("emptyListHint")}</p>
        </section>
      ) : (
        <>
          {compared.data && (
            <Comparison
              estimates={compared.data.estimates}
              robots={compared.data.comparison.filter((each) => robots.includes(each.sku))}
              may={may}
              onRemove={(robot) => act("update_shortlist", w("remove", { robot }), { remove: [robot] })}
            />
          )}
          {stakeholders.length > 0 && <p>{w("stakeholders", { names: stakeholders.join(", ") })}</p>}
          {next && <p>{w("next", { step: w(next) })}</p>}
        </>
      )}
      <section className="fits" aria-label={w("recommended")}>
        <h3>{w("recommended")}</h3>
        {(fits.data?.notes ?? []).map((note) => (
          <p key={note} className="notice calm">
            {said(note)}
          </p>
        ))}
        <ul>
          {(fits.data?.recommendations ?? []).map((each) => (
            <Fit
              key={each.sku}
              robot={each}
              listed={robots.includes(each.sku)}
              may={may}
              onAdd={() => act("update_shortlist", w("add", { robot: each.robot }), { add: [each.robot] })}
            />
          ))}
        </ul>
        <p className="muted">{w("indicative")}</p>
      </section>
    </>
  );
}

interface ComparisonProps {
  robots: Compared[];
  estimates: Estimate[];
  may: boolean;
  onRemove: (robot: string) => void;
}

function Comparison({ robots, estimates, may, onRemove }: ComparisonProps) {
  const lines: [string, (robot: Compared) => string][] = [
    [w("savesMonth"), (robot) => dollars(robot.estimated_monthly_savings)],
    [w("payback"), (robot) => payback(estimates.find(({ sku }) => sku === robot.sku))],
    [w("monthlyLease"), (robot) => dollars(robot.monthly_lease)],
    [w("price"), (robot) => dollars(robot.purchase_price)],
    [w("cleans"), (robot) => named(robot.modes)],
    [w("surfaces"), (robot) => named(robot.surfaces)],
    [w("area"), (robot) => said(robot.area)],
    [w("runtime"), (robot) => said(robot.runtime)],
    [w("aisle"), (robot) => w("cm", { count: robot.aisle_cm })],
  ];
  return (
    <Scroll className="panel-table comparison" label={w("shortlist")}>
      <table>
        <thead>
          <tr>
            <td />
            {robots.map((robot) => (
              <th key={robot.sku} scope="col">
                {robot.robot}
                <button
                  type="button"
                  className="button small"
                  disabled={!may}
                  aria-label={w("remove", { robot: robot.robot })}
                  onClick={() => onRemove(robot.robot)}
                >
                  {w("removeShort")}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {robots.map((robot) => (
                <td
                  key={robot.sku}
                  className={name === w("savesMonth") && robot.estimated_monthly_savings < 0 ? "loss" : ""}
                >
                  {value(robot)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

interface FitProps {
  robot: Recommendation;
  listed: boolean;
  may: boolean;
  onAdd: () => void;
}

function Fit({ robot, listed, may, onAdd }: FitProps) {
  const loses = robot.estimated_monthly_savings < 0;
  return (
    <li className="card fit">
      <header>
        <h4>{robot.robot}</h4>
        <span className="pill">{w(robot.label)}</span>
        {robot.within_budget !== null && (
          <span className={robot.within_budget ? "pill good" : "pill warn"}>
            {w(robot.within_budget ? "withinBudget" : "overBudget")}
          </span>
        )}
      </header>
      <p className="muted">
        {named(robot.category)} · {w("score", { score: robot.score })} · {w("monthlyLease")}{" "}
        {dollars(robot.monthly_lease)}
      </p>
      <p>
        {w("savesMonth")}:{" "}
        <strong className={loses ? "loss" : "gain"}>{dollars(robot.estimated_monthly_savings)}</strong>
      </p>
      <ul className="considered">
        {robot.reasons.map((reason) => (
          <li key={reason.factor}>{said(reason.explanation)}</li>
        ))}
      </ul>
      {!listed && (
        <button
          type="button"
          className="button small"
          disabled={!may}
          aria-label={w("add", { robot: robot.robot })}
          onClick={onAdd}
        >
          <ListPlus aria-hidden size={15} />
          {w("addShort")}
        </button>
      )}
    </li>
  );
}
