/** The inbox: cards and reported work that wait for this person, and recent decisions. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Inbox, MessageSquare } from "lucide-react";
import { Link } from "wouter";
import { api } from "../api/client";
import { useSession } from "../api/session";
import type { AssistantWork, DecidedApproval, PendingApproval } from "../api/types";
import { ApprovalCard } from "../chat/ApprovalCard";
import { cardTitle } from "../chat/cardWords";
import { type Key, t } from "../i18n";
import { assistantName, authorName, choiceName } from "../lib/serverNames";
import { notifyTabs } from "../lib/tabs";
import { moment } from "../lib/time";
import { ConnectionNote } from "../shell/ConnectionNote";
import { Header } from "../shell/Header";
import { inboxQuery } from "../shell/queries";

export function ApprovalsPage() {
  const { data } = useQuery(inboxQuery);
  const quiet = data?.count === 0 && data.work.length === 0;
  return (
    <div className="page">
      <Header title={t("approval.inbox")} />
      <ConnectionNote />
      <div className="inbox">
        {quiet && (
          <section className="empty">
            <Inbox aria-hidden size={36} />
            <h2>{t("approval.none")}</h2>
            <p className="muted">{t("approval.noneHint")}</p>
          </section>
        )}
        {data && data.cards.length > 0 && (
          <h2 className="inbox-title">{t("approval.waiting", { count: data.cards.length })}</h2>
        )}
        {data?.cards.map((pending) => (
          <Waiting key={`${pending.turn_id}-${pending.card.call_id}`} pending={pending} />
        ))}
        {data?.work.map((work) => (
          <Work key={work.assistant} work={work} />
        ))}
        {data && data.decided.length > 0 && <Decided decided={data.decided} />}
      </div>
    </div>
  );
}

function Waiting({ pending }: { pending: PendingApproval }) {
  const me = useSession()?.me;
  const client = useQueryClient();
  return (
    <div className="inbox-item">
      <ApprovalCard
        card={pending.card}
        conversation={pending.conversation_id}
        turn={pending.turn_id}
        onDecide={async (decision, reason, edited) => {
          await api.decide(
            pending.conversation_id,
            pending.turn_id,
            pending.card.call_id,
            decision,
            reason,
            edited,
          );
          notifyTabs({ kind: "conversation", id: pending.conversation_id });
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
  );
}

/** Translated descriptions of reported work; others use the server's text. */
const ABOUT: Partial<Record<string, Key>> = { gatepass: "inbox.gatepass", gig: "inbox.gig" };

function Work({ work }: { work: AssistantWork }) {
  const about = ABOUT[work.assistant];
  const name = assistantName(work.assistant, work.title);
  if (work.problem)
    return (
      <section className="inbox-work" aria-label={name}>
        <h2 className="inbox-title">{name}</h2>
        <p className="muted">{t("inbox.unreachable")}</p>
      </section>
    );
  return (
    <section className="inbox-work" aria-label={name}>
      <h2 className="inbox-title">
        {name}: {about ? t(about) : work.about}{" "}
        {work.count > 0 && <span className="count">{work.count}</span>}
      </h2>
      <ul>
        {work.items.map((item) => (
          <li key={item.link}>
            <Link href={item.link}>{item.title}</Link>
            {item.count > 1 && <span className="count">{item.count}</span>}
          </li>
        ))}
      </ul>
      {work.link && (
        <Link href={work.link} className="button small">
          {t("inbox.board")}
        </Link>
      )}
      {work.decided && work.decided.length > 0 && (
        <>
          <h3 className="inbox-title">{t("inbox.decided")}</h3>
          <ul>
            {work.decided.map((item) => (
              <li key={item.link}>
                <Link href={item.link}>{item.title}</Link>
                <span className="status-pill" data-status={item.state}>
                  {choiceName("status", item.state)}
                </span>
                <span className="muted">
                  {item.by} · <time dateTime={item.at}>{moment(item.at)}</time>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Decided({ decided }: { decided: DecidedApproval[] }) {
  return (
    <section className="inbox-work" aria-label={t("inbox.decided")}>
      <h2 className="inbox-title">{t("inbox.decided")}</h2>
      <ul>
        {decided.map((one) => (
          <li key={`${one.turn_id}-${one.card.call_id}`}>
            <strong>{cardTitle(one.card, null)}</strong>
            <span className="muted">
              {outcome(one)} <time dateTime={one.decided_at}>{moment(one.decided_at)}</time>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function outcome({ card, decision, decided_by }: DecidedApproval): string {
  if (decision === "expired" || !decided_by) return t("inbox.expired");
  const name = authorName(decided_by);
  if (decision !== "approved") return t("inbox.rejected", { name });
  const own = decided_by.id === card.requested_by;
  return own ? `${t("approval.confirmedBy", { name })}.` : t("inbox.approved", { name });
}
