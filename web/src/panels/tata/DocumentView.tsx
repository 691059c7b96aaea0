/** One document: to be read, compared with an earlier version, copied and taken away. */

import { useQuery } from "@tanstack/react-query";
import { Check, Copy, Download, RefreshCw, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { api, request } from "../../api/client";
import type { Artifact, ArtifactEntry, LineChange } from "../../api/types";
import { Markdown } from "../../markdown/Markdown";
import { Scroll } from "../../ui/Scroll";
import { useCopy } from "../../ui/useCopy";
import { Comparison } from "./Comparison";
import { Funnel } from "./Funnel";
import { Inclusion } from "./Inclusion";
import { Outreach } from "./Outreach";
import { newest, type Series } from "./shelf";
import { kindName, w } from "./words";

interface Props {
  conversation: string;
  series: Series;
  staleFrom: string | null;
  idle: boolean;
  /** Nothing where it cannot be built from what the project has. */
  onRebuild: (() => void) | null;
  onConfirm: () => void;
}

export function DocumentView({ conversation, series, staleFrom, idle, onRebuild, onConfirm }: Props) {
  const [wanted, setWanted] = useState<string | null>(null);
  const [diff, setDiff] = useState(false);
  const entry = series.versions.find((each) => each.id === wanted) ?? newest(series);
  const document = useQuery({
    queryKey: ["artifact", entry?.id],
    queryFn: () => api.artifact(conversation, entry?.id ?? ""),
    enabled: entry !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const text = useQuery({
    queryKey: ["artifact", entry?.id, "md"],
    queryFn: () => api.artifactText(conversation, entry?.id ?? ""),
    enabled: entry !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!entry) return null;
  const isNewest = entry.id === newest(series)?.id;
  const before = series.versions[series.versions.indexOf(entry) - 1];
  const draft = series.kind === "requirement_profile" && isNewest && entry.status === "draft";
  return (
    <section className="document" aria-label={document.data?.title ?? kindName(series.kind)}>
      <div className="document-bar">
        <label>
          <span className="sr-only">{w("versions")}</span>
          <select value={entry.id} onChange={(event) => setWanted(event.target.value)}>
            {series.versions.toReversed().map((each) => (
              <option key={each.id} value={each.id}>
                {w("version", { number: each.version })}
                {series.kind === "requirement_profile" ? ` · ${w(each.status)}` : ""}
              </option>
            ))}
          </select>
        </label>
        {before && (
          <button
            type="button"
            className="button small"
            aria-pressed={diff}
            onClick={() => setDiff((now) => !now)}
          >
            {diff ? w("read") : w("changes")}
          </button>
        )}
        <span className="grow" />
        <Take conversation={conversation} entry={entry} title={document.data?.title ?? ""} text={text.data} />
      </div>
      {staleFrom && isNewest && (
        <div className="notice">
          <TriangleAlert aria-hidden size={16} />
          <p>{w("staleHint", { what: kindName(staleFrom) })}</p>
          {onRebuild && (
            <button type="button" className="button small" disabled={!idle} onClick={onRebuild}>
              <RefreshCw aria-hidden size={14} />
              {w("rebuild")}
            </button>
          )}
        </div>
      )}
      {draft && (
        <div className="notice calm confirm">
          <p>{w("confirmHint")}</p>
          <button type="button" className="button primary small" disabled={!idle} onClick={onConfirm}>
            <Check aria-hidden size={15} />
            {w("confirm")}
          </button>
        </div>
      )}
      <Scroll className="document-text" label={document.data?.title ?? kindName(series.kind)}>
        {diff && before ? (
          <Changes conversation={conversation} entry={entry} before={before} />
        ) : document.data ? (
          <Body document={document.data} text={text.data ?? ""} />
        ) : (
          <span className="skeleton wide" />
        )}
      </Scroll>
    </section>
  );
}

/** Kinds that are more than their text are drawn; the others are read. */
function Body({ document, text }: { document: Artifact; text: string }) {
  switch (document.kind) {
    case "headhunting_messages":
      return <Outreach content={document.content} />;
    case "funnel_report":
      return <Funnel content={document.content} />;
    case "candidate_comparison":
      return <Comparison content={document.content} />;
    case "di_review":
      return <Inclusion content={document.content} />;
    default:
      return <Markdown text={text} />;
  }
}

function Take(props: {
  conversation: string;
  entry: ArtifactEntry;
  title: string;
  text: string | undefined;
}) {
  const { conversation, entry, title, text } = props;
  const { copied, copy } = useCopy();
  const save = async (ending: "md" | "docx") => {
    const response = await request(`/conversations/${conversation}/artifacts/${entry.id}.${ending}`);
    const url = URL.createObjectURL(await response.blob());
    const link = Object.assign(document.createElement("a"), { href: url, download: `${title}.${ending}` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  };
  return (
    <>
      <button
        type="button"
        className="button small"
        disabled={text === undefined}
        onClick={() => copy(text ?? "")}
      >
        {copied ? <Check aria-hidden size={14} /> : <Copy aria-hidden size={14} />}
        {copied ? w("copied") : w("copy")}
      </button>
      <button type="button" className="button small" onClick={() => save("md")}>
        <Download aria-hidden size={14} />
        {w("markdown")}
      </button>
      <button type="button" className="button small" onClick={() => save("docx")}>
        <Download aria-hidden size={14} />
        {w("word")}
      </button>
    </>
  );
}

/** All lines of both versions; what is the same over a long stretch is left out. */
function Changes(props: { conversation: string; entry: ArtifactEntry; before: ArtifactEntry }) {
  const { conversation, entry, before } = props;
  const changes = useQuery({
    queryKey: ["changes", entry.id, before.id],
    queryFn: () => api.artifactChanges(conversation, entry.id, before.id),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <>
      <h3>{w("since", { number: before.version })}</h3>
      <ol className="diff">
        {near(changes.data ?? []).map(({ change, at }) => (
          <li key={at} className={change ? change.kind : "gap"}>
            {change ? (
              <>
                {change.kind !== "same" && (
                  <span className="sr-only">{w(change.kind === "added" ? "added" : "removed")}: </span>
                )}
                {change.text}
              </>
            ) : (
              "⋯"
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

const AROUND = 2;

function near(changes: LineChange[]): { change: LineChange | null; at: number }[] {
  const shown = changes.map((_, at) =>
    changes.slice(Math.max(0, at - AROUND), at + AROUND + 1).some((each) => each.kind !== "same"),
  );
  const list: { change: LineChange | null; at: number }[] = [];
  for (const [at, change] of changes.entries()) {
    if (shown[at]) list.push({ change, at });
    else if (shown[at - 1] || at === 0) list.push({ change: null, at });
  }
  return list;
}
