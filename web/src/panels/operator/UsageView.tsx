/** Tokens and what they cost: by day, by assistant, by company. All sums are the server's. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { locale } from "../../i18n";
import { count, operator, short, type Usage, type UsageGroup, useNames } from "./api";
import { w } from "./words";

const PERIODS = [7, 30, 90];
const DAY = 86_400_000;
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
const tokensOf = (group: UsageGroup) => group.input_tokens + group.output_tokens;

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
          <Days groups={data.by_day} />
          <div className="operator-plots">
            <Groups title={w("perAssistant")} groups={data.by_assistant} nameOf={(name) => name ?? ""} />
            <Groups
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

function Days({ groups }: { groups: UsageGroup[] }) {
  const most = Math.max(1, ...groups.map(tokensOf));
  const date = new Intl.DateTimeFormat(locale(), { day: "numeric", month: "short", timeZone: "UTC" });
  const named = (group: UsageGroup | undefined) => (group?.name ? date.format(new Date(group.name)) : "");
  return (
    <figure className="card">
      <figcaption className="plot-head">
        <h2>{w("perDay")}</h2>
        <ul className="legend">
          <li className="in">{w("tokensIn")}</li>
          <li className="out">{w("tokensOut")}</li>
        </ul>
      </figcaption>
      <p className="plot-most muted" aria-hidden>
        {short(most)}
      </p>
      <ol className="day-bars">
        {groups.map((group) => {
          const label = w("dayBar", {
            day: named(group),
            input: count(group.input_tokens),
            output: count(group.output_tokens),
          });
          return (
            <li key={group.name} title={label}>
              <span className="sr-only">{label}</span>
              <span
                className="out"
                aria-hidden
                style={{ height: `${(group.output_tokens / most) * 100}%` }}
              />
              <span className="in" aria-hidden style={{ height: `${(group.input_tokens / most) * 100}%` }} />
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
  groups: UsageGroup[];
  nameOf: (name: string | null) => string;
}

function Groups({ title, groups, nameOf }: GroupsProps) {
  const most = Math.max(1, ...groups.map(tokensOf));
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
              <span className="in" style={{ width: `${(group.input_tokens / most) * 100}%` }} />
              <span className="out" style={{ width: `${(group.output_tokens / most) * 100}%` }} />
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
