/** A decision that somebody must take: exactly what will be done, for how long it can be decided, and two
 * buttons of which the harmless one has the focus. */

import { Check, Clock, ShieldAlert, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useSession } from "../api/session";
import type { ApprovalCard as Card } from "../api/types";
import { t } from "../i18n";
import { roleNames, toolName } from "../lib/named";
import { countdown } from "../lib/time";
import { useNow } from "../ui/useNow";
import { Arguments } from "./Arguments";
import { asApiError } from "./chat";

interface Props {
  card: Card;
  onDecide: (decision: "approve" | "reject", reason: string) => Promise<void>;
  /** Take the focus when it appears. */
  focus?: boolean;
}

const LONGEST_REASON = 500;

export function ApprovalCard({ card, onDecide, focus = false }: Props) {
  const me = useSession()?.me;
  const expires = new Date(card.expires_at).getTime();
  const now = useNow(expires);
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [deciding, setDeciding] = useState(false);
  const reject = useRef<HTMLButtonElement>(null);
  const mine = me?.id === card.requested_by;
  const mayDecide =
    card.approvers.length === 0 ? mine : card.approvers.some((role) => me?.roles.includes(role));
  const expired = now >= expires;
  const title = toolName(card.tool, card.title);

  useEffect(() => {
    // Whoever is writing is not interrupted.
    const busy = document.activeElement instanceof HTMLTextAreaElement && document.activeElement.value !== "";
    if (focus && !busy) reject.current?.focus({ preventScroll: true });
  }, [focus]);

  const decide = async (decision: "approve" | "reject") => {
    if (deciding) return;
    setDeciding(true);
    setProblem(null);
    try {
      await onDecide(decision, reason.trim());
    } catch (error) {
      setProblem(t("approval.failed", { reason: asApiError(error).message }));
      setDeciding(false);
    }
  };

  return (
    <section className="approval" aria-label={`${t("approval.title")}: ${title}`}>
      <header>
        <ShieldAlert aria-hidden size={18} />
        <span className="approval-kicker">{t("approval.title")}</span>
        {!expired && (
          <span className="approval-time">
            <Clock aria-hidden size={14} />
            {t("approval.expires", { time: countdown(expires - now) })}
          </span>
        )}
      </header>
      <h3>{title}</h3>
      <p className="muted">{mine ? t("approval.you") : t("approval.asks", { name: card.requester })}</p>
      <Arguments value={card.arguments} />
      <p className="approval-consequence">{t("approval.consequence")}</p>
      {expired ? (
        <p className="problem">{t("approval.expired")}</p>
      ) : mayDecide ? (
        <>
          <label className="field">
            <span>{t("approval.reason")}</span>
            <input
              value={reason}
              maxLength={LONGEST_REASON}
              placeholder={t("approval.reasonHint")}
              onChange={(event) => setReason(event.target.value)}
              // Enter in a text field must not decide anything.
              onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
            />
          </label>
          <div className="approval-actions">
            <button
              ref={reject}
              type="button"
              className="button"
              disabled={deciding}
              onClick={() => decide("reject")}
            >
              <X aria-hidden size={16} />
              {t("approval.reject")}
            </button>
            <button
              type="button"
              className="button danger"
              disabled={deciding}
              onClick={() => decide("approve")}
            >
              <Check aria-hidden size={16} />
              {t("approval.approve")}
            </button>
          </div>
        </>
      ) : (
        <p className="approval-wait">{t("approval.others", { roles: roleNames(card.approvers) })}</p>
      )}
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}
