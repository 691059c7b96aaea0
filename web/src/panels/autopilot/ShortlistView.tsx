/** The shortlist as a comparison, and other robots that fit. */

import { useQuery } from "@tanstack/react-query";
import { ListPlus } from "lucide-react";
import { Scroll } from "../../ui/Scroll";
import { autopilot, type Compared, dollars, type Recommendation, range, type View } from "./api";
import type { Act } from "./DecisionAside";
import { translateFigures, translateNames, translateSentence } from "./serverSentences";
import { payback, t } from "./strings";

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
  return (
    <>
      {robots.length === 0 ? (
        <section className="empty">
          <h3>{t("emptyList")}</h3>
          <p className="muted">{t("emptyListHint")}</p>
        </section>
      ) : (
        <>
          {compared.data && (
            <Comparison
              robots={compared.data.comparison.filter((each) => robots.includes(each.sku))}
              may={idle}
              onRemove={(robot) => act("update_shortlist", t("remove", { robot }), { remove: [robot] })}
            />
          )}
          {stakeholders.length > 0 && <p>{t("stakeholders", { names: stakeholders.join(", ") })}</p>}
          {next && <p>{t("next", { step: t(next) })}</p>}
        </>
      )}
      <section className="fits" aria-label={t("recommended")}>
        <h3>{t("recommended")}</h3>
        {fits.data && fits.data.missing.length > 0 && (
          <p className="notice calm">
            {t("tooFew")}{" "}
            {t("missing", { what: fits.data.missing.map((key) => t(`label_${key}`)).join(", ") })}
          </p>
        )}
        {(fits.data?.notes ?? []).map((note) => (
          <p key={note} className="notice calm">
            {translateSentence(note)}
          </p>
        ))}
        <ul>
          {(fits.data?.recommendations ?? []).map((each) => (
            <Fit
              key={each.sku}
              robot={each}
              listed={robots.includes(each.sku)}
              may={idle}
              onAdd={() => act("update_shortlist", t("add", { robot: each.robot }), { add: [each.robot] })}
            />
          ))}
        </ul>
        <p className="muted">{t("indicative")}</p>
      </section>
    </>
  );
}

interface ComparisonProps {
  robots: Compared[];
  may: boolean;
  onRemove: (robot: string) => void;
}

function Comparison({ robots, may, onRemove }: ComparisonProps) {
  const lines: [string, (robot: Compared) => string][] = [
    [t("needed"), ({ figures }) => (figures ? String(figures.robots_needed) : "–")],
    [t("savesMonth"), ({ figures }) => (figures ? range(figures.estimated_monthly_savings, dollars) : "–")],
    [t("payback"), ({ figures }) => (figures ? payback(figures.payback) : "–")],
    [t("monthlyLease"), (robot) => dollars(robot.monthly_lease)],
    [t("price"), (robot) => dollars(robot.purchase_price)],
    [t("cleans"), (robot) => translateNames(robot.modes)],
    [t("surfaces"), (robot) => translateNames(robot.surfaces)],
    [t("area"), (robot) => translateSentence(robot.area)],
    [t("runtime"), (robot) => translateSentence(robot.runtime)],
    [t("aisle"), (robot) => t("cm", { count: robot.aisle_cm })],
  ];
  return (
    <Scroll className="panel-table comparison" label={t("shortlist")}>
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
                  aria-label={t("remove", { robot: robot.robot })}
                  onClick={() => onRemove(robot.robot)}
                >
                  {t("removeShort")}
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
                  className={
                    name === t("savesMonth") && (robot.figures?.estimated_monthly_savings.low ?? 0) < 0
                      ? "loss"
                      : ""
                  }
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
  const loses = robot.estimated_monthly_savings.low < 0;
  return (
    <li className="card fit">
      <header>
        <h4>{robot.robot}</h4>
        <span className="pill">{t(robot.label)}</span>
        {robot.within_budget !== null && (
          <span className={robot.within_budget ? "pill good" : "pill warn"}>
            {t(robot.within_budget ? "withinBudget" : "overBudget")}
          </span>
        )}
      </header>
      <p className="muted">
        {translateNames(robot.category)} · {t("monthlyLease")} {dollars(robot.monthly_lease)}
      </p>
      <p>
        {t("savesMonth")}:{" "}
        <strong className={loses ? "loss" : "gain"}>{range(robot.estimated_monthly_savings, dollars)}</strong>
      </p>
      <ul className="considered">
        {robot.reasons.map((reason) => (
          <li key={reason}>{translateFigures(translateSentence(reason))}</li>
        ))}
      </ul>
      {!listed && (
        <button
          type="button"
          className="button small"
          disabled={!may}
          aria-label={t("add", { robot: robot.robot })}
          onClick={onAdd}
        >
          <ListPlus aria-hidden size={15} />
          {t("addShort")}
        </button>
      )}
    </li>
  );
}
