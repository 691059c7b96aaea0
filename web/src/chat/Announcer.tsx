import { useEffect, useRef, useState } from "react";
import type { Id } from "../api/types";
import { t } from "../i18n";
import { toolName } from "../lib/named";
import type { TurnView } from "./fold";
import { over } from "./fold";
import { spoken } from "./spoken";

const LONGEST = 1_500;

/** Tells people who listen instead of reading what happens, once for each thing and not letter by letter. */
export function Announcer({ view, active }: { view: TurnView | null; active: Id | null }) {
  const [said, setSaid] = useState("");
  const told = useRef("");
  // A turn that was over when the page was opened is no news.
  const seen = useRef(new Set<Id>());
  if (active) seen.current.add(active);
  useEffect(() => {
    if (!view) return;
    const busy = view.steps.findLast((step) => !step.finished);
    const news = over(view.phase)
      ? `${view.id}:over`
      : view.phase === "waiting"
        ? `${view.id}:waiting`
        : busy
          ? `${view.id}:${busy.callId}`
          : `${view.id}:thinking`;
    if (news === told.current) return;
    told.current = news;
    if (over(view.phase)) {
      if (seen.current.has(view.id))
        setSaid(view.ended?.notice ?? `${t("chat.done")} ${spoken(view.text, false).slice(0, LONGEST)}`);
    } else if (view.phase === "waiting") setSaid(t("approval.title"));
    else setSaid(busy ? t("chat.working", { what: toolName(busy.name, busy.title) }) : t("chat.thinking"));
  }, [view]);
  return (
    <p className="sr-only" role="status" aria-live="polite">
      {said}
    </p>
  );
}
