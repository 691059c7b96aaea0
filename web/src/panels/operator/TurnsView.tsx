/** Everyone's recent turns, and one of them as a waterfall. */

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Activity } from "lucide-react";
import { Fragment, useState } from "react";
import { useSearchParams } from "wouter";
import { assistantName } from "../../lib/serverNames";
import { duration } from "../../lib/time";
import { More } from "../../ui/More";
import { Scroll } from "../../ui/Scroll";
import { count, moment, operator, STATES, type Turn, useNames } from "./api";
import { t, why } from "./strings";
import { Waterfall } from "./Waterfall";

export function TurnsView() {
  const [search, setSearch] = useSearchParams();
  const current = search.get("turn");
  const [assistant, setAssistant] = useState("");
  const [state, setState] = useState("");
  const list = useInfiniteQuery({
    queryKey: ["operator", "turns", assistant, state],
    queryFn: ({ pageParam }) => operator.turns({ assistant, state, cursor: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.cursor,
    refetchInterval: 15_000,
    placeholderData: (before) => before,
  });
  // Assistants that the operator may not use have turns as well.
  const used = useQuery({ queryKey: ["operator", "usage", ""], queryFn: () => operator.usage({}) });
  const turns = (list.data?.pages ?? []).flatMap((page) => page.items);
  const nameOf = useNames(turns.flatMap((turn) => [turn.profile_id, turn.company_id]));
  const open = (id: string | null) => setSearch(id ? { view: "turns", turn: id } : { view: "turns" });
  const linked = current && !turns.some((turn) => turn.id === current) ? current : null;
  return (
    <section aria-label={t("turns")} className="operator-view">
      <div className="filters operator-filters">
        <select aria-label={t("assistant")} value={assistant} onChange={(e) => setAssistant(e.target.value)}>
          <option value="">{t("anyAssistant")}</option>
          {(used.data?.by_assistant ?? []).map((each) => (
            <option key={each.name} value={each.name ?? ""}>
              {assistantName(each.name ?? "", each.name ?? "")}
            </option>
          ))}
        </select>
        <select aria-label={t("state")} value={state} onChange={(e) => setState(e.target.value)}>
          <option value="">{t("anyState")}</option>
          {STATES.map((each) => (
            <option key={each} value={each}>
              {t(each)}
            </option>
          ))}
        </select>
      </div>
      {linked && (
        <div className="card">
          <Waterfall id={linked} onClose={() => open(null)} />
        </div>
      )}
      {list.isSuccess && turns.length === 0 && (
        <section className="empty">
          <Activity aria-hidden size={34} />
          <h2>{t("turnsNone")}</h2>
          <p className="muted">{t("turnsNoneHint")}</p>
        </section>
      )}
      {turns.length > 0 && (
        <Scroll className="panel-table stacked turns" label={t("turns")}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t("when")}</th>
                <th scope="col">{t("assistant")}</th>
                <th scope="col">{t("who")}</th>
                <th scope="col" className="operator-wide">
                  {t("company")}
                </th>
                <th scope="col">{t("outcome")}</th>
                <th scope="col" className="number">
                  {t("took")}
                </th>
                <th scope="col" className="number">
                  {t("tokens")}
                </th>
              </tr>
            </thead>
            <tbody>
              {turns.map((turn) => (
                <Fragment key={turn.id}>
                  <Row
                    turn={turn}
                    nameOf={nameOf}
                    open={turn.id === current}
                    onOpen={() => open(turn.id === current ? null : turn.id)}
                  />
                  {turn.id === current && (
                    <tr className="operator-open">
                      <td colSpan={7}>
                        <Waterfall id={turn.id} onClose={() => open(null)} />
                      </td>
                    </tr>
                  )}
                </Fragment>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      <More list={list} label={t("more")} />
    </section>
  );
}

interface RowProps {
  turn: Turn;
  nameOf: (id: string | null) => string;
  open: boolean;
  onOpen: () => void;
}

function Row({ turn, nameOf, open, onOpen }: RowProps) {
  const { input_tokens: input, output_tokens: output, cached_tokens: cached } = turn;
  const hint = t("tokensHint", { input: count(input), cached: count(cached), output: count(output) });
  return (
    <tr aria-current={open ? "true" : undefined}>
      <td className="short">
        <button type="button" className="link" aria-expanded={open} onClick={onOpen}>
          {moment(turn.started_at)}
          <span className="sr-only">. {t("showTurn")}</span>
        </button>
      </td>
      <td>{assistantName(turn.assistant, turn.assistant)}</td>
      <td>{nameOf(turn.profile_id)}</td>
      <td className="operator-wide">
        {turn.company_id ? nameOf(turn.company_id) : <span className="muted">–</span>}
      </td>
      <td className="short">
        <Outcome turn={turn} />
      </td>
      <td className="number short">{turn.duration_ms === null ? "…" : duration(turn.duration_ms)}</td>
      <td className="number short" title={hint}>
        {turn.estimated && <span className="muted">~ </span>}
        {count(input)} / {count(output)}
      </td>
    </tr>
  );
}

/** The outcome, with the reason if it failed. */
export function Outcome({ turn }: { turn: Turn }) {
  const tone = { completed: "good", failed: "bad", interrupted: "bad" }[turn.state as string] ?? "warn";
  const outcome = turn.outcome?.outcome;
  const kind = turn.outcome && "kind" in turn.outcome ? String(turn.outcome.kind) : null;
  const codes = turn.state === "failed" && outcome ? [outcome, kind].filter(Boolean).map(String) : [];
  return (
    <>
      <span className={`pill ${tone}`}>{t(turn.state)}</span>
      {codes.length > 0 && <span className="why">{codes.map(why).join(": ")}</span>}
    </>
  );
}
