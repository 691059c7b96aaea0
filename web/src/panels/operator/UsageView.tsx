/** Token usage and cost by day, assistant and company. The server computes all sums. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { locale } from "../../i18n";
import { assistantName } from "../../lib/serverNames";
import { count, operator, short, type Usage, type UsageGroup, useNames } from "./api";
import { Figures } from "./Figures";
import { t } from "./strings";

const PERIODS = [7, 30, 90];
const DAY = 86_400_000;
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

type Measure = "tokens" | "turns";
/** The bars of a group: tokens in and out, or turns. */
const parts = (group: UsageGroup, measure: Measure): { in: number; out: number } =>
  measure === "turns" ? { in: group.turns, out: 0 } : { in: group.input_tokens, out: group.output_tokens };
const sizeOf = (group: UsageGroup, measure: Measure) => {
  const part = parts(group, measure);
  return part.in + part.out;
};

export function UsageView() {
  const [days, setDays] = useState(30);
  const now = Date.now();
  const from = dayOf(now - (days - 1) * DAY);
  const to = dayOf(now);
  const { data } = useQuery({
    queryKey: ["operator", "usage", from, to],
    queryFn: () => operator.usage({ from, to }),
    placeholderData: (before) => before,
  });
  const nameOf = useNames((data?.by_company ?? []).map((each) => each.name));
  const [chosen, setChosen] = useState<Measure | null>(null);
  // A model without token counts still has turns.
  const counted = (data?.total.input_tokens ?? 0) + (data?.total.output_tokens ?? 0) > 0;
  const measure = chosen ?? (counted ? "tokens" : "turns");
  return (
    <section aria-label={t("usage")} className="operator-view">
      <fieldset className="filters" aria-label={t("period")}>
        {PERIODS.map((each) => (
          <button
            key={each}
            type="button"
            className="filter"
            aria-pressed={days === each}
            onClick={() => setDays(each)}
          >
            {t("days", { count: each })}
          </button>
        ))}
      </fieldset>
      {data && <Totals usage={data} />}
      {data && data.total.turns === 0 && <p className="muted">{t("usageNone")}</p>}
      {data && data.total.turns > 0 && (
        <>
          <fieldset className="filters" aria-label={t("measure")}>
            {(["tokens", "turns"] as const).map((each) => (
              <button
                key={each}
                type="button"
                className="filter"
                aria-pressed={measure === each}
                onClick={() => setChosen(each)}
              >
                {t(each === "tokens" ? "byTokens" : "totalTurns")}
              </button>
            ))}
          </fieldset>
          <Days groups={data.by_day} measure={measure} />
          <div className="operator-plots">
            <Groups
              title={t("perAssistant")}
              measure={measure}
              groups={data.by_assistant}
              nameOf={(name) => assistantName(name ?? "", name ?? "")}
            />
            <Groups
              measure={measure}
              title={t("perCompany")}
              groups={data.by_company}
              nameOf={(id) => (id ? nameOf(id) : t("ownUse"))}
            />
          </div>
        </>
      )}
    </section>
  );
}

function Totals({ usage: { total } }: { usage: Usage }) {
  const cost = new Intl.NumberFormat(locale(), { minimumFractionDigits: 2, maximumFractionDigits: 4 });
  const facts: [string, string][] = [
    [t("totalTurns"), count(total.turns)],
    [t("tokensIn"), count(total.input_tokens)],
    [t("tokensCached"), count(total.cached_tokens)],
    [t("tokensOut"), count(total.output_tokens)],
    [t("cost"), total.cost === null ? t("noPrices") : cost.format(total.cost)],
    [t("estimatedTurns"), count(total.estimated_turns)],
  ];
  return <Figures facts={facts} />;
}

function Days({ groups, measure }: { groups: UsageGroup[]; measure: Measure }) {
  const most = Math.max(1, ...groups.map((group) => sizeOf(group, measure)));
  const date = new Intl.DateTimeFormat(locale(), { day: "numeric", month: "short", timeZone: "UTC" });
  const named = (group: UsageGroup | undefined) => (group?.name ? date.format(new Date(group.name)) : "");
  return (
    <figure className="card">
      <figcaption className="plot-head">
        <h2>{t(measure === "turns" ? "turnsPerDay" : "perDay")}</h2>
        {measure === "tokens" && (
          <ul className="legend">
            <li className="in">{t("tokensIn")}</li>
            <li className="out">{t("tokensOut")}</li>
          </ul>
        )}
      </figcaption>
      <p className="plot-most muted" aria-hidden>
        {short(most)}
      </p>
      <ol className="day-bars">
        {groups.map((group) => {
          const part = parts(group, measure);
          const label =
            measure === "turns"
              ? `${named(group)}: ${t("group", { count: group.turns })}`
              : t("dayBar", { day: named(group), input: count(part.in), output: count(part.out) });
          return (
            <li key={group.name} title={label}>
              <span className="sr-only">{label}</span>
              <span className="out" aria-hidden style={{ height: `${(part.out / most) * 100}%` }} />
              <span className="in" aria-hidden style={{ height: `${(part.in / most) * 100}%` }} />
            </li>
          );
        })}
      </ol>
      <p className="plot-ends muted" aria-hidden>
        <span>{named(groups[0])}</span>
        <span>{named(groups.at(-1))}</span>
      </p>
    </figure>
  );
}

interface GroupsProps {
  title: string;
  measure: Measure;
  groups: UsageGroup[];
  nameOf: (name: string | null) => string;
}

function Groups({ title, measure, groups, nameOf }: GroupsProps) {
  const most = Math.max(1, ...groups.map((group) => sizeOf(group, measure)));
  const wide = (share: number) => ({ width: `${(share / most) * 100}%` });
  return (
    <figure className="card">
      <figcaption>
        <h2>{title}</h2>
      </figcaption>
      <ul className="group-bars">
        {groups.map((group) => (
          <li key={group.name ?? ""}>
            <span className="group-name">{nameOf(group.name)}</span>
            <span className="group-track" aria-hidden>
              <span className="in" style={wide(parts(group, measure).in)} />
              <span className="out" style={wide(parts(group, measure).out)} />
            </span>
            <span className="group-figures muted">
              {count(group.input_tokens)} / {count(group.output_tokens)} ·{" "}
              {t("group", { count: group.turns })}
            </span>
          </li>
        ))}
      </ul>
    </figure>
  );
}
