/** One document: to be read, edited, compared with an earlier version, copied and saved as a file. */

import { useQuery } from "@tanstack/react-query";
import { Check, Pencil, RefreshCw, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { api } from "../../api/client";
import type { Artifact, ArtifactEntry } from "../../api/types";
import { Scroll } from "../../ui/Scroll";
import { Changes } from "./Changes";
import { contentOf } from "./content";
import { DocumentText } from "./DocumentText";
import { Editor } from "./Editor";
import { Export } from "./Export";
import { Recommendation } from "./Recommendation";
import { newest, type Series } from "./series";
import { kindName, w } from "./words";

interface Props {
  conversation: string;
  series: Series;
  staleFrom: string | null;
  idle: boolean;
  /** The version that is being edited. */
  editing: ArtifactEntry | null;
  onEdit: (base: ArtifactEntry | null) => void;
  /** Nothing where it cannot be built from what the project has. */
  onRebuild: (() => void) | null;
  onConfirm: () => void;
}

export function DocumentView(props: Props) {
  const { conversation, series, staleFrom, idle, editing, onEdit, onRebuild, onConfirm } = props;
  const [wanted, setWanted] = useState<string | null>(null);
  const [diff, setDiff] = useState(false);
  const latest = newest(series);
  const entry = editing ?? series.versions.find((each) => each.id === wanted) ?? latest;
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
  if (!entry || !latest) return null;
  const title = document.data?.title ?? kindName(series.kind);
  if (editing && text.data !== undefined) {
    return (
      <section className="document" aria-label={title}>
        <Editor
          conversation={conversation}
          place={`document.${conversation}.${series.id}`}
          base={editing}
          newest={latest}
          text={text.data}
          label={title}
          onClose={() => {
            setWanted(null);
            onEdit(null);
          }}
        />
      </section>
    );
  }
  const content = contentOf(document.data);
  const isNewest = entry.id === latest.id;
  const before = series.versions[series.versions.indexOf(entry) - 1];
  const draft = series.kind === "requirement_profile" && isNewest && entry.status === "draft";
  const notes = content.madeWith === "fallback" ? [w("fallbackHint"), ...content.notes] : content.notes;
  return (
    <section className="document" aria-label={title}>
      <div className="document-bar">
        {series.versions.length > 1 && (
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
        )}
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
        {isNewest && (
          <button
            type="button"
            className="button small"
            disabled={!idle || text.data === undefined}
            onClick={() => onEdit(entry)}
          >
            <Pencil aria-hidden size={14} />
            {w("edit")}
          </button>
        )}
        <span className="grow" />
        <Export conversation={conversation} entry={entry} title={title} text={text.data} />
      </div>
      <p className="document-origin muted">{document.data ? origin(document.data) : ""}</p>
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
      {series.kind === "candidate_reports" && isNewest && document.data && (
        <Recommendation conversation={conversation} entry={entry} fields={content.fields} disabled={!idle} />
      )}
      <Scroll className="document-text" label={title}>
        {notes.length > 0 && !diff && (
          <section className="document-notes" aria-label={w("notes")}>
            <ul>
              {notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          </section>
        )}
        {diff && before ? (
          <Changes conversation={conversation} entry={entry} before={before} />
        ) : document.data && text.data !== undefined ? (
          <DocumentText text={text.data} content={content} />
        ) : (
          <span className="skeleton wide" />
        )}
      </Scroll>
    </section>
  );
}

/** "Version 3 · edited by Maria Holm". */
function origin(document: Artifact): string {
  const version = w("version", { number: document.version });
  const { madeWith } = contentOf(document);
  const name = document.author?.name;
  // Confirming keeps the text and who wrote it: the version is new because somebody agreed with it.
  const confirmed = document.kind === "requirement_profile" && document.status === "confirmed";
  if (name && confirmed) return `${version} · ${w("confirmedBy", { name })}`;
  if (madeWith === "fallback") return `${version} · ${w("madeWithoutModel")}`;
  if (!name) return version;
  return `${version} · ${w(madeWith === "person" ? "editedBy" : "requestedBy", { name })}`;
}
