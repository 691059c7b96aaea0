/** Thumbs up or down for an answer; a bad one may have a reason. */

import { ThumbsDown, ThumbsUp } from "lucide-react";
import { useState } from "react";
import { api } from "../api/client";
import type { Message } from "../api/types";
import { t } from "../i18n";

const LONGEST_REASON = 2_000;

export function Rating({ message }: { message: Message }) {
  const [rating, setRating] = useState<"up" | "down" | null>(message.rating ?? null);
  const [said, setSaid] = useState("");
  const [asking, setAsking] = useState(false);
  const rate = async (next: "up" | "down", comment = "") => {
    const before = rating;
    const wanted = rating === next && !comment ? null : next;
    setRating(wanted);
    setAsking(wanted === "down" && !comment);
    try {
      await api.feedback(message.id, wanted, comment);
      setSaid(wanted ? t("chat.thanks") : "");
    } catch {
      setRating(before);
      setSaid(t("chat.feedbackFailed"));
    }
  };
  return (
    <>
      <button
        type="button"
        className="icon-button small"
        aria-label={t("chat.good")}
        title={t("chat.good")}
        aria-pressed={rating === "up"}
        onClick={() => rate("up")}
      >
        <ThumbsUp aria-hidden size={15} />
      </button>
      <button
        type="button"
        className="icon-button small"
        aria-label={t("chat.bad")}
        title={t("chat.bad")}
        aria-pressed={rating === "down"}
        onClick={() => rate("down")}
      >
        <ThumbsDown aria-hidden size={15} />
      </button>
      {asking && <Reason onSend={(reason) => rate("down", reason)} onClose={() => setAsking(false)} />}
      <span role="status" className="muted">
        {said}
      </span>
    </>
  );
}

function Reason({ onSend, onClose }: { onSend: (reason: string) => void; onClose: () => void }) {
  const [reason, setReason] = useState("");
  return (
    <form
      className="reason"
      onSubmit={(event) => {
        event.preventDefault();
        if (reason.trim()) onSend(reason.trim());
        else onClose();
      }}
    >
      <input
        aria-label={t("chat.reason")}
        placeholder={t("chat.reason")}
        value={reason}
        maxLength={LONGEST_REASON}
        onChange={(event) => setReason(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onClose();
        }}
      />
      <button type="submit" className="button small">
        {t("chat.send")}
      </button>
    </form>
  );
}
