/** Turns that stand still until somebody decides. */

import { useQueries, useQuery } from "@tanstack/react-query";
import { Hourglass } from "lucide-react";
import { Link } from "wouter";
import { assistantName, toolName } from "../../lib/named";
import { moment, operator, useNames } from "./api";
import { w } from "./words";

export function WaitingView() {
  const { data } = useQuery({
    queryKey: ["operator", "waiting"],
    queryFn: () => operator.turns({ state: "awaiting_approval", limit: "100" }),
    refetchInterval: 10_000,
  });
  const turns = data?.items ?? [];
  const details = useQueries({
    queries: turns.map((turn) => ({
      queryKey: ["operator", "turn", turn.id],
      queryFn: () => operator.turn(turn.id),
    })),
  });
  const nameOf = useNames(turns.flatMap((turn) => [turn.profile_id, turn.company_id]));
  if (data && turns.length === 0)
    return (
      <section className="empty">
        <Hourglass aria-hidden size={34} />
        <h2>{w("waitingNone")}</h2>
        <p className="muted">{w("waitingNoneHint")}</p>
      </section>
    );
  return (
    <section aria-label={w("waiting")} className="operator-view">
      {data && <h2>{w("waitingCount", { count: turns.length })}</h2>}
      <ul className="waiting-cards">
        {turns.map((turn, index) => {
          const asked = details[index]?.data?.steps.findLast((step) => step.kind === "approval_requested");
          return (
            <li key={turn.id} className="card">
              <p>
                <strong>{nameOf(turn.profile_id)}</strong> {w("waitingFor")}{" "}
                <strong>{asked?.name ? toolName(asked.name) : "…"}</strong>
              </p>
              <p className="muted">
                {assistantName(turn.assistant, turn.assistant)}
                {turn.company_id && ` · ${nameOf(turn.company_id)}`} ·{" "}
                {w("waitingSince", { time: moment(turn.started_at) })}
              </p>
              <Link href={`/operator?view=turns&turn=${turn.id}`} className="button small">
                {w("showTurn")}
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
