/** One step of a turn: the tool, its arguments and its result. */

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
import { type Key, serverSentences, t } from "../i18n";
import { toolName } from "../lib/serverNames";
import { Markdown } from "../markdown/Markdown";
import { Arguments } from "./Arguments";
import type { Step } from "./turnReducer";

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

/** Why a call was refused. The card's body shows the server's message. */
const REFUSED: Record<RefusalReason, { words: Key; more: boolean }> = {
  unknown_tool: { words: "refused.unknown_tool", more: false },
  role: { words: "refused.role", more: false },
  phase: { words: "refused.phase", more: true },
  needs: { words: "refused.needs", more: true },
  invalid_arguments: { words: "refused.invalid_arguments", more: true },
  cut_off: { words: "refused.cut_off", more: false },
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
  const summary = serverSentences(finished?.summary ?? step.progress ?? "");
  const firstLine = refused ? t(refused.words) : stepLine(summary);
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
          {firstLine && status !== "done" && <span className="tool-summary">{plain(firstLine)}</span>}
        </span>
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

/** The first line of a result. A heading belongs to a document, which the answer or the panel shows with its title. */
const stepLine = (summary: string) => (summary.startsWith("# ") ? "" : (summary.split("\n")[0] ?? ""));

/** One line of Markdown as plain text. */
const plain = (line: string) => line.replaceAll(/\*\*|__|`|^#+ |^> /g, "");
