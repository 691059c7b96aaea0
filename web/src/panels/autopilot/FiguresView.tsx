/** Savings and costs per robot, with editable assumptions. */

import { useQuery } from "@tanstack/react-query";
import { TrendingDown } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { asApiError } from "../../chat/chat";
import { locale } from "../../i18n";
import { Scroll } from "../../ui/Scroll";
import { autopilot, type Calculated, dollars, type Edits, type Estimate, type View } from "./api";
import type { Act } from "./DecisionAside";
import { RoiChart } from "./RoiChart";
import { months, payback, t } from "./strings";

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
            <strong>{t("notYet")}.</strong> {t("notYetHint")}
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
            {t("reset")}
          </button>
          {view.phase !== "discovery" && (
            <button
              type="button"
              className="button small primary"
              disabled={!idle || Boolean(error)}
              onClick={() => act("calculate_roi", t("assumptions"), given(edits))}
            >
              {t("keep")}
            </button>
          )}
        </p>
      )}
      <p role="status" className="sr-only">
        {isFetching ? t("calculating") : ""}
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
    <section className="assumptions" aria-label={t("assumptions")}>
      <h3>{t("assumptions")}</h3>
      <p className="muted">{t("assumptionsHint")}</p>
      <div className="assumption-fields">
        {FIELDS.map(({ name, times, step }) => {
          const value = edits[name] ?? data?.assumptions[name as keyof Calculated["assumptions"]];
          const shown = typeof value === "number" ? Math.round(value * times * 100) / 100 : "";
          return (
            <label key={name}>
              <span>
                {t(name)}
                {assumed.includes(name) && <span className="pill warn">{t("assumed")}</span>}
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
      <Scroll className="panel-table" label={t("figures")}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("robot")}</th>
              <th scope="col" className="number amount">
                {t("cost")}
              </th>
              <th scope="col" className="number amount">
                {t("savesMonth")}
              </th>
              <th scope="col" className="number amount">
                {t("return")}
              </th>
              <th scope="col" className="number amount">
                {t("payback")}
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
                <td className="number amount">{dollars(each.robot_monthly_cost)}</td>
                <td
                  className={each.estimated_monthly_savings < 0 ? "number amount loss" : "number amount gain"}
                >
                  {dollars(each.estimated_monthly_savings)}
                </td>
                <td className={each.roi_percent < 0 ? "number amount loss" : "number amount"}>
                  {percent(each.roi_percent)}
                </td>
                <td className="number amount">{payback(each)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {losing.length > 0 && (
        <section className="notice">
          <TrendingDown aria-hidden size={16} />
          <p>
            {losing.length === data.estimates.length && <strong>{t("noneSaves")} </strong>}
            {losing
              .map((each) =>
                t("loses", { robot: each.robot, amount: dollars(Math.abs(each.estimated_monthly_savings)) }),
              )
              .join(" ")}
          </p>
        </section>
      )}
      <RoiChart estimate={current} />
      <Sensitivity estimate={current} />
      <section>
        <h3>{t("considered")}</h3>
        <ul className="considered">
          {factors(current, lease).map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
        <p className="muted">
          {t("confidence", { level: t(current.confidence) })}. {t("indicative")}
        </p>
      </section>
    </>
  );
}

const percent = (value: number) =>
  `${new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 }).format(value)}\u00a0%`;

/** The basis of the estimate, as sentences. */
function factors({ robot, assumptions, ...estimate }: Estimate, lease: number | undefined): string[] {
  const number = new Intl.NumberFormat(locale(), { maximumFractionDigits: 0 });
  const share = new Intl.NumberFormat(locale(), { style: "percent" });
  const assumed = (name: (typeof assumptions.assumed)[number]) => assumptions.assumed.includes(name);
  return [
    t(assumed("manual_monthly_spend") ? "factorSpendAssumed" : "factorSpend", {
      amount: dollars(assumptions.manual_monthly_spend),
    }),
    t(assumed("manual_monthly_hours") ? "factorHoursAssumed" : "factorHours", {
      hours: number.format(assumptions.manual_monthly_hours),
    }),
    t("factorRate", { amount: dollars(assumptions.labor_rate) }),
    t("factorTakes", {
      robot,
      hours: number.format(estimate.hours_saved_monthly),
      all: number.format(estimate.current_monthly_hours),
    }),
    t("factorUse", { percent: share.format(assumptions.utilization) }),
    t("factorMaintenance", { percent: share.format(assumptions.maintenance_factor) }),
    ...(lease === undefined
      ? []
      : [t("factorPrices", { lease: dollars(lease), price: dollars(estimate.purchase.price) })]),
  ];
}

function Sensitivity({ estimate }: { estimate: Estimate }) {
  return (
    <section>
      <h3>{t("sensitivity")}</h3>
      <Scroll className="panel-table" label={t("sensitivity")}>
        <table>
          <caption className="sr-only">{t("sensitivityOf", { robot: estimate.robot })}</caption>
          <thead>
            <tr>
              <th scope="col">{t("assumption")}</th>
              <th scope="col" className="number amount">
                {t("savesMonth")}
              </th>
              <th scope="col" className="number amount">
                {t("payback")}
              </th>
            </tr>
          </thead>
          <tbody>
            {estimate.sensitivity.map((each) => (
              <tr key={each.assumption + each.change_percent}>
                <th scope="row">
                  {t(each.assumption === "labor_rate" ? "labor_rateShort" : "utilizationShort")}{" "}
                  {each.change_percent > 0 && "+"}
                  {percent(each.change_percent)}
                </th>
                <td className={each.estimated_monthly_savings < 0 ? "number amount loss" : "number amount"}>
                  {dollars(each.estimated_monthly_savings)}
                </td>
                <td className="number amount">{months(each.payback_months)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}
