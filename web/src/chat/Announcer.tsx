import { useEffect, useRef, useState } from "react";
import type { Id, Message } from "../api/types";
import { serverSentences, t, useAnswerSentences } from "../i18n";
import { toolName } from "../lib/serverNames";
import { spoken } from "../markdown/spoken";
import { displayText } from "./displayText";
import type { TurnView } from "./turnReducer";
import { isOver } from "./turnReducer";

const LONGEST = 1_500;

/** Announces events to screen readers, once each. */
export function Announcer({
  view,
  active,
  messages,
}: {
  view: TurnView | null;
  active: Id | null;
  messages: readonly Message[];
}) {
  const question = messages.findLast((message) => message.role === "user")?.content ?? "";
  const inItsLanguage = useAnswerSentences(question);
  const [said, setSaid] = useState("");
  const told = useRef("");
  // Turns that were over when the page opened are not announced.
  const seen = useRef(new Set<Id>());
  if (active) seen.current.add(active);
  useEffect(() => {
    if (!view) return;
    const busy = view.steps.findLast((step) => !step.finished);
    const news = isOver(view.phase)
      ? `${view.id}:over`
      : view.phase === "waiting"
        ? `${view.id}:waiting`
        : busy
          ? `${view.id}:${busy.callId}`
          : `${view.id}:thinking`;
    if (news === told.current) return;
    told.current = news;
    if (isOver(view.phase)) {
      if (seen.current.has(view.id))
        setSaid(
          serverSentences(view.ended?.notice ?? "") ||
            `${t("chat.done")} ${spoken(inItsLanguage(displayText(view.text, false))).slice(0, LONGEST)}`,
        );
    } else if (view.phase === "waiting") setSaid(t("tool.waiting"));
    else setSaid(busy ? t("chat.working", { what: toolName(busy.name, busy.title) }) : t("chat.thinking"));
  }, [view, inItsLanguage]);
  return (
    <p className="sr-only" role="status" aria-live="polite">
      {said}
    </p>
  );
}
