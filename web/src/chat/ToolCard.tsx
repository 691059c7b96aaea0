/** One step of a turn: what is being done in people's words, and what came of it. */

import {
  Ban,
  Check,
  ChevronDown,
  CircleHelp,
  Hourglass,
  LoaderCircle,
  type LucideIcon,
  TriangleAlert,
} from "lucide-react";
import { useState } from "react";
import type { RefusalReason } from "../api/schema";
import { type Key, t } from "../i18n";
import { toolName } from "../lib/named";
import { duration } from "../lib/time";
import { Markdown } from "../markdown/Markdown";
import { Arguments } from "./Arguments";
import type { Step } from "./fold";

type Status = "running" | "waiting" | "done" | "failed" | "refused" | "declined" | "unknown";

const LOOKS: Record<Status, { icon: LucideIcon; label: Key }> = {
  running: { icon: LoaderCircle, label: "tool.running" },
  waiting: { icon: Hourglass, label: "tool.waiting" },
  done: { icon: Check, label: "tool.done" },
  failed: { icon: TriangleAlert, label: "tool.failed" },
  refused: { icon: Ban, label: "tool.refused" },
  declined: { icon: Ban, label: "tool.declined" },
  unknown: { icon: CircleHelp, label: "tool.unknown" },
};

/** Why a call was not run. Where more can be said than that, the server's words stand inside the card. */
const REFUSED: Record<RefusalReason, { words: Key; more: boolean }> = {
  unknown_tool: { words: "refused.unknown_tool", more: false },
  role: { words: "refused.role", more: false },
  phase: { words: "refused.phase", more: true },
  needs: { words: "refused.needs", more: true },
  invalid_arguments: { words: "refused.invalid_arguments", more: true },
  limit: { words: "refused.limit", more: false },
  declined: { words: "refused.declined", more: false },
  expired: { words: "refused.expired", more: false },
  stopped: { words: "refused.stopped", more: false },
};

export function statusOf(step: Step, turnOver: boolean): Status {
  const { finished, approval } = step;
  if (finished?.ok) return "done";
  if (finished?.refused === "declined" || finished?.refused === "expired") return "declined";
  if (finished?.refused) return "refused";
  if (finished?.error === "unknown") return "unknown";
  if (finished) return "failed";
  if (approval && !approval.decision) return "waiting";
  return turnOver ? "unknown" : "running";
}

export function ToolCard({ step, turnOver }: { step: Step; turnOver: boolean }) {
  const [open, setOpen] = useState(false);
  const status = statusOf(step, turnOver);
  const { icon: Icon, label } = LOOKS[status];
  const { finished } = step;
  const refused = finished?.refused ? REFUSED[finished.refused] : undefined;
  const summary = finished?.summary ?? step.progress ?? "";
  const firstLine = refused ? t(refused.words) : (summary.split("\n")[0] ?? "");
  const told = refused && !refused.more ? "" : summary;
  return (
    <details className={`tool ${status}`} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span className="tool-icon">
          <Icon aria-hidden size={15} />
        </span>
        <span className="tool-words">
          <span className="tool-title">{toolName(step.name, step.title)}</span>
          <span className="sr-only"> · {t(label)}</span>
          {status !== "done" && status !== "running" && (
            <span className="tool-status" aria-hidden>
              {t(label)}
            </span>
          )}
          {firstLine && <span className="tool-summary">{plain(firstLine)}</span>}
        </span>
        {finished && <span className="tool-time">{duration(finished.duration_ms)}</span>}
        <ChevronDown aria-hidden size={16} className="chevron" />
      </summary>
      {open && (
        <div className="tool-body">
          {step.arguments !== null && (
            <>
              <h3>{t("tool.arguments")}</h3>
              <Arguments value={step.arguments} />
            </>
          )}
          {(told || firstLine) && (
            <>
              <h3>{t("tool.result")}</h3>
              <Markdown text={told || firstLine} />
            </>
          )}
        </div>
      )}
    </details>
  );
}

/** A line of markdown without its marks. */
const plain = (line: string) => line.replaceAll(/\*\*|__|`|^#+ |^> /g, "");
