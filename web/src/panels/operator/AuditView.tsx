/** The audit log, filtered by tool, outcome, person and time. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { Link } from "wouter";
import { More } from "../../ui/More";
import { Scroll } from "../../ui/Scroll";
import { moment, OUTCOMES, operator, useNames } from "./api";
import { t } from "./strings";

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

/** Converts a local calendar day to a timestamp; an end day is inclusive. */
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
    <section aria-label={t("audit")} className="operator-view">
      <search className="filters operator-filters">
        <label>
          <span>{t("auditTool")}</span>
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
          <span>{t("auditOutcome")}</span>
          <select value={search.outcome} onChange={(event) => change({ outcome: event.target.value })}>
            <option value="">{t("anyOutcome")}</option>
            {OUTCOMES.map((each) => (
              <option key={each} value={each}>
                {t(each)}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>{t("who")}</span>
          <select value={search.profile_id} onChange={(event) => change({ profile_id: event.target.value })}>
            <option value="">{t("any")}</option>
            {people.map((id) => (
              <option key={id} value={id}>
                {nameOf(id)}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>{t("since")}</span>
          <input
            type="date"
            value={search.since}
            onChange={(event) => change({ since: event.target.value })}
          />
        </label>
        <label>
          <span>{t("until")}</span>
          <input
            type="date"
            value={search.until}
            onChange={(event) => change({ until: event.target.value })}
          />
        </label>
      </search>
      {list.isSuccess && rows.length === 0 && <p className="muted">{t("auditNone")}</p>}
      {rows.length > 0 && (
        <Scroll className="panel-table stacked audit" label={t("audit")}>
          <table>
            <caption className="sr-only">{t("auditFound")}</caption>
            <thead>
              <tr>
                <th scope="col">{t("when")}</th>
                <th scope="col">{t("who")}</th>
                <th scope="col">{t("auditTool")}</th>
                <th scope="col">{t("auditOutcome")}</th>
                <th scope="col" className="operator-wide">
                  {t("approver")}
                </th>
                <th scope="col">{t("auditTarget")}</th>
                <th scope="col">{t("turn")}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => {
                const tone = GOOD.includes(row.outcome) ? "good" : BAD.includes(row.outcome) ? "bad" : "warn";
                return (
                  <tr key={row.id}>
                    <td className="short">{moment(row.at)}</td>
                    <td>{row.profile_name ?? nameOf(row.profile)}</td>
                    <td>
                      <code>{row.tool}</code>
                    </td>
                    <td>
                      <span className={`pill ${tone}`}>{t(row.outcome)}</span>
                    </td>
                    <td className="operator-wide">
                      {row.approver ? (row.approver_name ?? nameOf(row.approver)) : "–"}
                    </td>
                    <td>{row.target ?? "–"}</td>
                    <td className="short">
                      {row.turn ? (
                        <Link href={`/operator?view=turns&turn=${row.turn}`}>{t("showTurn")}</Link>
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
      <More list={list} label={t("more")} />
    </section>
  );
}
