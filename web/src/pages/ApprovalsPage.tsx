/** Everything that waits for this person's decision. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Inbox, MessageSquare } from "lucide-react";
import { Link } from "wouter";
import { api } from "../api/client";
import { useSession } from "../api/session";
import { ApprovalCard } from "../chat/ApprovalCard";
import { t } from "../i18n";
import { tell } from "../lib/tabs";
import { Header } from "../shell/Header";
import { approvalsQuery } from "../shell/queries";

export function ApprovalsPage() {
  const me = useSession()?.me;
  const client = useQueryClient();
  const { data } = useQuery(approvalsQuery);
  return (
    <div className="page">
      <Header title={t("approval.inbox")} />
      <div className="inbox">
        {data?.length === 0 && (
          <section className="empty">
            <Inbox aria-hidden size={36} />
            <h2>{t("approval.none")}</h2>
            <p className="muted">{t("approval.noneHint")}</p>
          </section>
        )}
        {data && data.length > 0 && (
          <h2 className="inbox-title">{t("approval.waiting", { count: data.length })}</h2>
        )}
        {data?.map((pending) => (
          <div key={`${pending.turn_id}-${pending.card.call_id}`} className="inbox-item">
            <ApprovalCard
              card={pending.card}
              conversation={pending.conversation_id}
              onDecide={async (decision, reason, edited) => {
                await api.decide(
                  pending.conversation_id,
                  pending.turn_id,
                  pending.card.call_id,
                  decision,
                  reason,
                  edited,
                );
                tell({ kind: "conversation", id: pending.conversation_id });
                await client.invalidateQueries({ queryKey: ["approvals"] });
              }}
            />
            {pending.card.requested_by === me?.id && (
              <Link href={`/c/${pending.conversation_id}`} className="button small">
                <MessageSquare aria-hidden size={14} />
                {t("approval.show")}
              </Link>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}
