/** Savings and costs per robot with their derivation; every value can be changed. */

import { useQuery } from "@tanstack/react-query";
import { TrendingDown } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { asApiError } from "../../api/client";
import { locale } from "../../i18n";
import { Problem } from "../../ui/Problem";
import { Scroll } from "../../ui/Scroll";
import {
  autopilot,
  type Calculated,
  dollars,
  type Edits,
  type Estimate,
  range,
  type Source,
  type View,
} from "./api";
import type { Act } from "./DecisionAside";
import { RoiChart } from "./RoiChart";
import { translateFigures } from "./serverSentences";
import { payback, t } from "./strings";

interface Props {
  view: View;
  idle: boolean;
  act: Act;
}

type Input = Estimate["inputs"][number];

/** Editable values; shares are shown in percent. */
const FIELDS: { name: keyof Edits; input: Input["name"]; times: number; step: number }[] = [
  { name: "manual_monthly_spend", input: "monthly_spend", times: 1, step: 100 },
  { name: "manual_monthly_hours", input: "monthly_hours", times: 1, step: 1 },
  { name: "labor_rate", input: "labor_rate", times: 1, step: 1 },
  { name: "area_m2", input: "area", times: 1, step: 50 },
  { name: "window_hours", input: "window", times: 1, step: 0.5 },
  { name: "utilization", input: "utilization", times: 100, step: 5 },
  { name: "maintenance_factor", input: "maintenance", times: 100, step: 1 },
  { name: "monthly_energy", input: "energy", times: 1, step: 5 },
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
      {data && data.missing.length > 0 && (
        <section className="notice calm">
          <p>
            <strong>{t("tooFew")}</strong>{" "}
            {t("missing", { what: data.missing.map((key) => t(`label_${key}`)).join(", ") })}
          </p>
        </section>
      )}
      <Values inputs={data?.estimates[0]?.inputs ?? []} edits={edits} onChange={setEdits} />
      {error && <Problem>{asApiError(error).message}</Problem>}
      {changed && (
        <p className="chips">
          <button type="button" className="button small" onClick={() => setEdits(kept)}>
            {t("reset")}
          </button>
          <button
            type="button"
            className="button small primary"
            disabled={!idle || Boolean(error)}
            onClick={() => act("calculate_roi", t("assumptions"), { ...given(edits), reset: true })}
          >
            {t("keep")}
          </button>
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

/** Labour cost comes from the spend or from hours and rate, so changing one drops the other. */
const changedBy = (edits: Edits, name: keyof Edits, value: number | null): Edits => {
  const next = { ...edits, [name]: value };
  if (value === null) return next;
  if (name === "manual_monthly_spend") return { ...next, labor_rate: null, manual_monthly_hours: null };
  if (name === "labor_rate" || name === "manual_monthly_hours")
    return { ...next, manual_monthly_spend: null };
  return next;
};

interface ValuesProps {
  inputs: Input[];
  edits: Edits;
  onChange: (next: Edits) => void;
}

function Values({ inputs, edits, onChange }: ValuesProps) {
  return (
    <section className="assumptions" aria-label={t("assumptions")}>
      <h3>{t("assumptions")}</h3>
      <p className="muted">{t("assumptionsHint")}</p>
      <div className="assumption-fields">
        {FIELDS.map(({ name, input, times, step }) => {
          const used = inputs.find((each) => each.name === input);
          const known = used?.value ?? null;
          const rounded = (value: number) =>
            value < 100 ? Math.round(value * times * 100) / 100 : Math.round(value);
          const value = edits[name] ?? (known && known.low === known.high ? known.low : null);
          return (
            <label key={name}>
              <span>
                {t(name)}
                {used?.source.kind === "default" && <span className="pill warn">{t("assumed")}</span>}
              </span>
              <input
                type="number"
                min={0}
                step={step}
                value={value === null ? "" : rounded(value)}
                placeholder={known ? range(known, (each) => String(rounded(each))) : t("notUsed")}
                onChange={(event) => {
                  const typed = event.target.valueAsNumber;
                  onChange(changedBy(edits, name, Number.isFinite(typed) ? typed / times : null));
                }}
              />
            </label>
          );
        })}
      </div>
    </section>
  );
}

const loses = (estimate: Estimate) => estimate.estimated_monthly_savings.high < 0;

function Results({ data }: { data: Calculated }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const current = data.estimates.find((each) => each.sku === chosen) ?? data.estimates[0];
  if (!current) return null;
  return (
    <>
      <Scroll className="panel-table" label={t("figures")}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("robot")}</th>
              {(["needed", "cost", "savesMonth", "return", "payback"] as const).map((name) => (
                <th key={name} scope="col" className="number amount">
                  {t(name)}
                </th>
              ))}
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
                <td className="number amount">{each.robots_needed}</td>
                <td className="number amount">{range(each.robot_monthly_cost, dollars)}</td>
                <td
                  className={
                    each.estimated_monthly_savings.low < 0 ? "number amount loss" : "number amount gain"
                  }
                >
                  {range(each.estimated_monthly_savings, dollars)}
                </td>
                <td className={each.roi_percent.low < 0 ? "number amount loss" : "number amount"}>
                  {range(each.roi_percent, percent)}
                </td>
                <td className="number amount">{payback(each.purchase.payback)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <Warnings estimates={data.estimates} />
      <RoiChart estimate={current} />
      <Derivation estimate={current} />
      <Sensitivity estimate={current} />
      <Inputs estimate={current} />
    </>
  );
}

/** Robots that lose money, cannot do the work, or have not enough capacity. */
function Warnings({ estimates }: { estimates: Estimate[] }) {
  const sentences = estimates.flatMap((each) => {
    const { robot, robots_needed: count } = each;
    const amount = dollars(Math.abs(each.estimated_monthly_savings.high));
    return [
      each.share === 0 ? t("saves_nothing", { robot }) : null,
      count > 1 && each.share > 0 ? t("notEnough", { robot, count }) : null,
      loses(each) && each.share > 0 ? t("loses", { robot, amount }) : null,
    ].filter((sentence) => sentence !== null);
  });
  if (sentences.length === 0) return null;
  const bad = estimates.some((each) => loses(each) || each.share === 0);
  return (
    <section className={bad ? "notice" : "notice calm"}>
      {bad && <TrendingDown aria-hidden size={16} />}
      <p>
        {estimates.every(loses) && <strong>{t("noneSaves")} </strong>}
        {sentences.join(" ")}
      </p>
    </section>
  );
}

const percent = (value: number) =>
  `${new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 }).format(value)}\u00a0%`;

function Derivation({ estimate }: { estimate: Estimate }) {
  return (
    <section>
      <h3>{t("derivation", { robot: estimate.robot })}</h3>
      <Scroll className="panel-table" label={t("derivation", { robot: estimate.robot })}>
        <table>
          <tbody>
            {estimate.derivation.map(({ name, formula, result }) => (
              <tr key={name}>
                <th scope="row">{t(`step_${name}`)}</th>
                <td>{translateFigures(formula)}</td>
                <td className="number amount">{translateFigures(result)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

const sourceInWords = (source: Source): string =>
  source.kind === "said" && source.by ? t("source_said_by", { by: source.by }) : t(`source_${source.kind}`);

/** Every value with its source. */
function Inputs({ estimate }: { estimate: Estimate }) {
  return (
    <section>
      <h3>{t("considered")}</h3>
      <ul className="considered">
        {estimate.inputs.map(({ name, text, source }) => (
          <li key={name}>
            {t(`input_${name}`)}: {translateFigures(text)}{" "}
            <span className="muted">({sourceInWords(source)})</span>
          </li>
        ))}
      </ul>
      <p className="muted">
        {t("confidence", { level: t(`level_${estimate.confidence}`) })}. {t("notCounted")} {t("indicative")}
      </p>
    </section>
  );
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
              <tr key={each.name + each.change_percent}>
                <th scope="row">
                  {t(`input_${each.name}`)} {each.change_percent > 0 && "+"}
                  {percent(each.change_percent)}
                </th>
                <td
                  className={each.estimated_monthly_savings.low < 0 ? "number amount loss" : "number amount"}
                >
                  {range(each.estimated_monthly_savings, dollars)}
                </td>
                <td className="number amount">{payback(each.payback)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}
