/** One document: read, edit, compare versions, copy and export. */

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
import { kindName, t } from "./strings";

interface Props {
  conversation: string;
  series: Series;
  staleFrom: string | null;
  idle: boolean;
  /** The version that is being edited. */
  editing: ArtifactEntry | null;
  onEdit: (base: ArtifactEntry | null) => void;
  /** Absent if it cannot be rebuilt from the project's data. */
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
  const notes = content.madeWith === "fallback" ? [t("fallbackHint"), ...content.notes] : content.notes;
  return (
    <section className="document" aria-label={title}>
      <div className="document-bar">
        {series.versions.length > 1 && (
          <label>
            <span className="sr-only">{t("versions")}</span>
            <select value={entry.id} onChange={(event) => setWanted(event.target.value)}>
              {series.versions.toReversed().map((each) => (
                <option key={each.id} value={each.id}>
                  {t("version", { number: each.version })}
                  {series.kind === "requirement_profile" ? ` · ${t(each.status)}` : ""}
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
            {diff ? t("read") : t("changes")}
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
            {t("edit")}
          </button>
        )}
        <span className="grow" />
        <Export conversation={conversation} entry={entry} title={title} text={text.data} />
      </div>
      <p className="document-origin muted">{document.data ? origin(document.data) : ""}</p>
      {staleFrom && isNewest && (
        <div className="notice document-notice">
          <TriangleAlert aria-hidden size={16} />
          <p>{t("staleHint", { what: kindName(staleFrom) })}</p>
          {onRebuild && (
            <button type="button" className="button small" disabled={!idle} onClick={onRebuild}>
              <RefreshCw aria-hidden size={14} />
              {t("rebuild")}
            </button>
          )}
        </div>
      )}
      {draft && (
        <div className="notice calm document-notice document-confirm">
          <p>{t("confirmHint")}</p>
          <button type="button" className="button primary small" disabled={!idle} onClick={onConfirm}>
            <Check aria-hidden size={15} />
            {t("confirm")}
          </button>
        </div>
      )}
      {series.kind === "candidate_reports" && isNewest && document.data && (
        <Recommendation conversation={conversation} entry={entry} fields={content.fields} disabled={!idle} />
      )}
      <Scroll className="document-text" label={title}>
        {notes.length > 0 && !diff && (
          <section className="document-notes" aria-label={t("notes")}>
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
  const version = t("version", { number: document.version });
  const { madeWith } = contentOf(document);
  const name = document.author?.name;
  // Confirming creates a version with unchanged text and author.
  const confirmed = document.kind === "requirement_profile" && document.status === "confirmed";
  if (name && confirmed) return `${version} · ${t("confirmedBy", { name })}`;
  if (madeWith === "fallback") return `${version} · ${t("madeWithoutModel")}`;
  if (!name) return version;
  return `${version} · ${t(madeWith === "person" ? "editedBy" : "requestedBy", { name })}`;
}
