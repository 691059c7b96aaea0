/** Turns waiting for approval. */

import { useQueries, useQuery } from "@tanstack/react-query";
import { Hourglass } from "lucide-react";
import { Link } from "wouter";
import { assistantName, toolName } from "../../lib/serverNames";
import { moment, operator, useNames } from "./api";
import { t } from "./strings";

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
        <h2>{t("waitingNone")}</h2>
        <p className="muted">{t("waitingNoneHint")}</p>
      </section>
    );
  return (
    <section aria-label={t("waiting")} className="operator-view">
      {data && <h2>{t("waitingCount", { count: turns.length })}</h2>}
      <ul className="waiting-cards">
        {turns.map((turn, index) => {
          const asked = details[index]?.data?.steps.findLast((step) => step.kind === "approval_requested");
          return (
            <li key={turn.id} className="card">
              <p>
                <strong>{nameOf(turn.profile_id)}</strong> {t("waitingFor")}{" "}
                <strong>{asked?.name ? toolName(asked.name) : "…"}</strong>
              </p>
              <p className="muted">
                {assistantName(turn.assistant, turn.assistant)}
                {turn.company_id && ` · ${nameOf(turn.company_id)}`} ·{" "}
                {t("waitingSince", { time: moment(turn.started_at) })}
              </p>
              <Link href={`/operator?view=turns&turn=${turn.id}`} className="button small">
                {t("showTurn")}
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
