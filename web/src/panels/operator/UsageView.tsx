/** Tokens and what they cost: by day, by assistant, by company. All sums are the server's. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { locale } from "../../i18n";
import { assistantName } from "../../lib/named";
import { count, operator, short, type Usage, type UsageGroup, useNames } from "./api";
import { w } from "./words";

const PERIODS = [7, 30, 90];
const DAY = 86_400_000;
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

type Measure = "tokens" | "turns";
/** What of a group is drawn: tokens in and out, or turns alone. */
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
  // A model that counts no tokens still takes turns.
  const counted = (data?.total.input_tokens ?? 0) + (data?.total.output_tokens ?? 0) > 0;
  const measure = chosen ?? (counted ? "tokens" : "turns");
  return (
    <section aria-label={w("usage")} className="operator-view">
      <fieldset className="filters" aria-label={w("period")}>
        {PERIODS.map((each) => (
          <button
            key={each}
            type="button"
            className="filter"
            aria-pressed={days === each}
            onClick={() => setDays(each)}
          >
            {w("days", { count: each })}
          </button>
        ))}
      </fieldset>
      {data && <Totals usage={data} />}
      {data && data.total.turns === 0 && <p className="muted">{w("usageNone")}</p>}
      {data && data.total.turns > 0 && (
        <>
          <fieldset className="filters" aria-label={w("measure")}>
            {(["tokens", "turns"] as const).map((each) => (
              <button
                key={each}
                type="button"
                className="filter"
                aria-pressed={measure === each}
                onClick={() => setChosen(each)}
              >
                {w(each === "tokens" ? "byTokens" : "totalTurns")}
              </button>
            ))}
          </fieldset>
          <Days groups={data.by_day} measure={measure} />
          <div className="operator-plots">
            <Groups
              title={w("perAssistant")}
              measure={measure}
              groups={data.by_assistant}
              nameOf={(name) => assistantName(name ?? "", name ?? "")}
            />
            <Groups
              measure={measure}
              title={w("perCompany")}
              groups={data.by_company}
              nameOf={(id) => (id ? nameOf(id) : w("ownUse"))}
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
    [w("totalTurns"), count(total.turns)],
    [w("tokensIn"), count(total.input_tokens)],
    [w("tokensCached"), count(total.cached_tokens)],
    [w("tokensOut"), count(total.output_tokens)],
    [w("cost"), total.cost === null ? w("noPrices") : cost.format(total.cost)],
    [w("estimatedTurns"), count(total.estimated_turns)],
  ];
  return (
    <dl className="figures-grid">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Days({ groups, measure }: { groups: UsageGroup[]; measure: Measure }) {
  const most = Math.max(1, ...groups.map((group) => sizeOf(group, measure)));
  const date = new Intl.DateTimeFormat(locale(), { day: "numeric", month: "short", timeZone: "UTC" });
  const named = (group: UsageGroup | undefined) => (group?.name ? date.format(new Date(group.name)) : "");
  return (
    <figure className="card">
      <figcaption className="plot-head">
        <h2>{w(measure === "turns" ? "turnsPerDay" : "perDay")}</h2>
        {measure === "tokens" && (
          <ul className="legend">
            <li className="in">{w("tokensIn")}</li>
            <li className="out">{w("tokensOut")}</li>
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
              ? `${named(group)}: ${w("group", { count: group.turns })}`
              : w("dayBar", { day: named(group), input: count(part.in), output: count(part.out) });
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
              {w("group", { count: group.turns })}
            </span>
          </li>
        ))}
      </ul>
    </figure>
  );
}
