/** What robots save or cost here, losses included, with every assumption open to change. */

import { useQuery } from "@tanstack/react-query";
import { TrendingDown } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { asApiError } from "../../chat/chat";
import { locale } from "../../i18n";
import { Scroll } from "../../ui/Scroll";
import { autopilot, type Calculated, dollars, type Edits, type Estimate, type View } from "./api";
import type { Act } from "./DecisionAside";
import { RoiChart } from "./RoiChart";
import { months, payback, w } from "./words";

interface Props {
  view: View;
  idle: boolean;
  act: Act;
}

/** Shares are shown in percent. */
const FIELDS: { name: keyof Edits; times: number; step: number }[] = [
  { name: "manual_monthly_spend", times: 1, step: 100 },
  { name: "manual_monthly_hours", times: 1, step: 1 },
  { name: "labor_rate", times: 1, step: 1 },
  { name: "utilization", times: 100, step: 5 },
  { name: "maintenance_factor", times: 100, step: 1 },
];

export function FiguresView({ view, idle, act }: Props) {
  const kept = view.roi.edits;
  const [edits, setEdits] = useState<Edits>(kept);
  const asked = useDeferredValue(edits);
  const { data, error, isFetching } = useQuery({
    queryKey: ["autopilot", view.conversation_id, "roi", asked, view.roi.robots, view.discovery_state],
    queryFn: () => autopilot.calculate(view.conversation_id, asked),
    placeholderData: (before) => before,
    retry: false,
  });
  const changed = JSON.stringify(edits) !== JSON.stringify(kept);
  return (
    <>
      {view.phase === "discovery" && !view.discovery_state.ready_for_roi && (
        <section className="notice calm">
          <p>
            <strong>{w("notYet")}.</strong> {w("notYetHint")}
          </p>
        </section>
      )}
      <Assumptions data={data} edits={edits} onChange={setEdits} />
      {error && (
        <p className="problem" role="alert">
          {asApiError(error).message}
        </p>
      )}
      {changed && (
        <p className="chips">
          <button type="button" className="button small" onClick={() => setEdits(kept)}>
            {w("reset")}
          </button>
          {view.phase !== "discovery" && (
            <button
              type="button"
              className="button small primary"
              disabled={!idle || Boolean(error)}
              onClick={() => act("calculate_roi", w("assumptions"), given(edits))}
            >
              {w("keep")}
            </button>
          )}
        </p>
      )}
      <p role="status" className="sr-only">
        {isFetching ? w("calculating") : ""}
      </p>
      {data && <Results data={data} />}
    </>
  );
}

const given = (edits: Edits): { [name: string]: number } =>
  Object.fromEntries(
    Object.entries(edits).filter((each): each is [string, number] => typeof each[1] === "number"),
  );

interface AssumptionsProps {
  data: Calculated | undefined;
  edits: Edits;
  onChange: (next: Edits) => void;
}

function Assumptions({ data, edits, onChange }: AssumptionsProps) {
  const assumed = (data?.assumptions.assumed ?? []) as string[];
  return (
    <section className="assumptions" aria-label={w("assumptions")}>
      <h3>{w("assumptions")}</h3>
      <p className="muted">{w("assumptionsHint")}</p>
      <div className="assumption-fields">
        {FIELDS.map(({ name, times, step }) => {
          const value = edits[name] ?? data?.assumptions[name as keyof Calculated["assumptions"]];
          const shown = typeof value === "number" ? Math.round(value * times * 100) / 100 : "";
          return (
            <label key={name}>
              <span>
                {w(name)}
                {assumed.includes(name) && <span className="pill warn">{w("assumed")}</span>}
              </span>
              <input
                type="number"
                min={0}
                step={step}
                value={shown}
                onChange={(event) => {
                  const typed = event.target.valueAsNumber;
                  onChange({ ...edits, [name]: Number.isFinite(typed) ? typed / times : null });
                }}
              />
            </label>
          );
        })}
      </div>
    </section>
  );
}

function Results({ data }: { data: Calculated }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const current = data.estimates.find((each) => each.sku === chosen) ?? data.estimates[0];
  const losing = data.estimates.filter((each) => each.estimated_monthly_savings < 0);
  if (!current) return null;
  const lease = data.comparison.find((each) => each.sku === current.sku)?.monthly_lease;
  return (
    <>
      <Scroll className="panel-table" label={w("figures")}>
        <table>
          <thead>
            <tr>
              <th scope="col">{w("robot")}</th>
              <th scope="col" className="number">
                {w("cost")}
              </th>
              <th scope="col" className="number">
                {w("savesMonth")}
              </th>
              <th scope="col" className="number">
                {w("return")}
              </th>
              <th scope="col" className="number">
                {w("payback")}
              </th>
            </tr>
          </thead>
          <tbody>
            {data.estimates.map((each) => (
              <tr key={each.sku} aria-current={each === current ? "true" : undefined}>
                <th scope="row">
                  <button
                    type="button"
                    className="cell-link"
                    aria-pressed={each === current}
                    onClick={() => setChosen(each.sku)}
                  >
                    <strong>{each.robot}</strong>
                  </button>
                </th>
                <td className="number">{dollars(each.robot_monthly_cost)}</td>
                <td className={each.estimated_monthly_savings < 0 ? "number loss" : "number gain"}>
                  {dollars(each.estimated_monthly_savings)}
                </td>
                <td className={each.roi_percent < 0 ? "number loss" : "number"}>
                  {percent(each.roi_percent)}
                </td>
                <td className="number">{payback(each)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {losing.length > 0 && (
        <section className="notice losing">
          <TrendingDown aria-hidden size={16} />
          <p>
            {losing.length === data.estimates.length && <strong>{w("noneSaves")} </strong>}
            {losing
              .map((each) =>
                w("loses", { robot: each.robot, amount: dollars(Math.abs(each.estimated_monthly_savings)) }),
              )
              .join(" ")}
          </p>
        </section>
      )}
      <RoiChart estimate={current} />
      <Sensitivity estimate={current} />
      <section>
        <h3>{w("considered")}</h3>
        <ul className="considered">
          {factors(current, lease).map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
        <p className="muted">
          {w("confidence", { level: w(current.confidence) })}. {w("indicative")}
        </p>
      </section>
    </>
  );
}

const percent = (value: number) =>
  `${new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 }).format(value)}\u00a0%`;

/** What the estimate rests on, in words. */
function factors({ robot, assumptions, ...estimate }: Estimate, lease: number | undefined): string[] {
  const number = new Intl.NumberFormat(locale(), { maximumFractionDigits: 0 });
  const share = new Intl.NumberFormat(locale(), { style: "percent" });
  const assumed = (name: (typeof assumptions.assumed)[number]) => assumptions.assumed.includes(name);
  return [
    w(assumed("manual_monthly_spend") ? "factorSpendAssumed" : "factorSpend", {
      amount: dollars(assumptions.manual_monthly_spend),
    }),
    w(assumed("manual_monthly_hours") ? "factorHoursAssumed" : "factorHours", {
      hours: number.format(assumptions.manual_monthly_hours),
    }),
    w("factorRate", { amount: dollars(assumptions.labor_rate) }),
    w("factorTakes", {
      robot,
      hours: number.format(estimate.hours_saved_monthly),
      all: number.format(estimate.current_monthly_hours),
    }),
    w("factorUse", { percent: share.format(assumptions.utilization) }),
    w("factorMaintenance", { percent: share.format(assumptions.maintenance_factor) }),
    ...(lease === undefined
      ? []
      : [w("factorPrices", { lease: dollars(lease), price: dollars(estimate.purchase.price) })]),
  ];
}

function Sensitivity({ estimate }: { estimate: Estimate }) {
  return (
    <section>
      <h3>{w("sensitivity")}</h3>
      <Scroll className="panel-table" label={w("sensitivity")}>
        <table>
          <caption className="sr-only">{w("sensitivityOf", { robot: estimate.robot })}</caption>
          <thead>
            <tr>
              <th scope="col">{w("assumption")}</th>
              <th scope="col" className="number">
                {w("savesMonth")}
              </th>
              <th scope="col" className="number">
                {w("payback")}
              </th>
            </tr>
          </thead>
          <tbody>
            {estimate.sensitivity.map((each) => (
              <tr key={each.assumption + each.change_percent}>
                <th scope="row">
                  {w(each.assumption === "labor_rate" ? "labor_rateShort" : "utilizationShort")}{" "}
                  {each.change_percent > 0 && "+"}
                  {percent(each.change_percent)}
                </th>
                <td className={each.estimated_monthly_savings < 0 ? "number loss" : "number"}>
                  {dollars(each.estimated_monthly_savings)}
                </td>
                <td className="number">{months(each.payback_months)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}
