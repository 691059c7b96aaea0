/** Every attempt to change the world, searched by tool, outcome, person and time. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { Link } from "wouter";
import { More } from "../../ui/More";
import { Scroll } from "../../ui/Scroll";
import { moment, OUTCOMES, operator, useNames } from "./api";
import { w } from "./words";

interface Search {
  tool: string;
  outcome: string;
  since: string;
  until: string;
  profile_id: string;
}

const ALL: Search = { tool: "", outcome: "", since: "", until: "", profile_id: "" };
const GOOD = ["executed", "approved"];
const BAD = ["failed", "unknown"];

/** A day of this reader's calendar as a moment; the day named last belongs to the time. */
const moments = (search: Search) => ({
  ...search,
  since: search.since && new Date(`${search.since}T00:00:00`).toISOString(),
  until: search.until && new Date(`${search.until}T23:59:59.999`).toISOString(),
});

export function AuditView() {
  const [search, setSearch] = useState(ALL);
  const asked = useDeferredValue(search);
  const change = (part: Partial<Search>) => setSearch({ ...search, ...part });
  const list = useInfiniteQuery({
    queryKey: ["operator", "audit", asked],
    queryFn: ({ pageParam }) => operator.audit({ ...moments(asked), cursor: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.cursor,
    placeholderData: (before) => before,
  });
  const rows = (list.data?.pages ?? []).flatMap((page) => page.items);
  const nameOf = useNames(rows.flatMap((row) => [row.profile, row.approver]));
  const people = [...new Set(rows.map((row) => row.profile))];
  const tools = [...new Set(rows.map((row) => row.tool))].sort();
  return (
    <section aria-label={w("audit")} className="operator-view">
      <search className="filters operator-filters">
        <label>
          <span>{w("auditTool")}</span>
          <input
            type="search"
            list="audit-tools"
            value={search.tool}
            onChange={(event) => change({ tool: event.target.value.trim() })}
          />
          <datalist id="audit-tools">
            {tools.map((tool) => (
              <option key={tool} value={tool} />
            ))}
          </datalist>
        </label>
        <label>
          <span>{w("auditOutcome")}</span>
          <select value={search.outcome} onChange={(event) => change({ outcome: event.target.value })}>
            <option value="">{w("anyOutcome")}</option>
            {OUTCOMES.map((each) => (
              <option key={each} value={each}>
                {w(each)}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>{w("who")}</span>
          <select value={search.profile_id} onChange={(event) => change({ profile_id: event.target.value })}>
            <option value="">{w("any")}</option>
            {people.map((id) => (
              <option key={id} value={id}>
                {nameOf(id)}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>{w("since")}</span>
          <input
            type="date"
            value={search.since}
            onChange={(event) => change({ since: event.target.value })}
          />
        </label>
        <label>
          <span>{w("until")}</span>
          <input
            type="date"
            value={search.until}
            onChange={(event) => change({ until: event.target.value })}
          />
        </label>
      </search>
      {list.isSuccess && rows.length === 0 && <p className="muted">{w("auditNone")}</p>}
      {rows.length > 0 && (
        <Scroll className="panel-table stacked audit" label={w("audit")}>
          <table>
            <caption className="sr-only">{w("auditFound")}</caption>
            <thead>
              <tr>
                <th scope="col">{w("when")}</th>
                <th scope="col">{w("who")}</th>
                <th scope="col">{w("auditTool")}</th>
                <th scope="col">{w("auditOutcome")}</th>
                <th scope="col" className="wide">
                  {w("approver")}
                </th>
                <th scope="col" className="wide" title={w("hashHint")}>
                  {w("hash")}
                </th>
                <th scope="col">{w("turn")}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => {
                const tone = GOOD.includes(row.outcome) ? "good" : BAD.includes(row.outcome) ? "bad" : "warn";
                return (
                  <tr key={row.id}>
                    <td className="short">{moment(row.at)}</td>
                    <td>{nameOf(row.profile)}</td>
                    <td>
                      <code>{row.tool}</code>
                    </td>
                    <td>
                      <span className={`pill ${tone}`}>{w(row.outcome)}</span>
                    </td>
                    <td className="wide">{row.approver ? nameOf(row.approver) : "–"}</td>
                    <td className="wide">
                      <code title={row.arguments_hash}>{row.arguments_hash.slice(0, 10)}</code>
                    </td>
                    <td className="short">
                      {row.turn ? (
                        <Link href={`/operator?view=turns&turn=${row.turn}`}>{w("showTurn")}</Link>
                      ) : (
                        "–"
                      )}
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </Scroll>
      )}
      <More list={list} label={w("more")} />
    </section>
  );
}
