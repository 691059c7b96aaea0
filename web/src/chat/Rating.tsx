/** Thumbs up or down for an answer; a bad one may have a reason. */

import { ThumbsDown, ThumbsUp } from "lucide-react";
import { useRef, useState } from "react";
import { api } from "../api/client";
import type { Message } from "../api/types";
import { t } from "../i18n";

const LONGEST_REASON = 2_000;

export function Rating({ message }: { message: Message }) {
  const [rating, setRating] = useState<"up" | "down" | null>(message.rating ?? null);
  const [said, setSaid] = useState("");
  const [asking, setAsking] = useState(false);
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const rate = async (next: "up" | "down", comment = "") => {
    const before = rating;
    const wanted = rating === next && !comment ? null : next;
    setRating(wanted);
    setSaid("");
    if (!comment) setAsking(wanted === "down");
    // One after the other: a rating that overtakes its reason would erase it.
    const stored = last.current.then(() => api.feedback(message.id, wanted, comment));
    const mine = stored.catch(() => {});
    last.current = mine;
    const failed = await stored.then(
      () => false,
      () => true,
    );
    if (last.current !== mine) return;
    if (failed) setRating(before);
    // A reason that was not stored stays in its field.
    else if (comment) setAsking(false);
    setSaid(failed ? t("chat.feedbackFailed") : wanted ? t("chat.thanks") : "");
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
