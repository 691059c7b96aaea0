/** Edits a document as Markdown. Unsaved text stays in browser storage until it is saved or discarded. */

import { useEffect, useId, useRef, useState } from "react";
import type { ArtifactEntry } from "../../api/types";
import { readDraft, saveDraft } from "../../chat/outbox";
import { Dialog } from "../../ui/Dialog";
import { t } from "./strings";
import { useSaveVersion } from "./useSaveVersion";

interface Props {
  conversation: string;
  /** Storage key of unsaved text. */
  place: string;
  /** The version that was the newest when editing began. */
  base: ArtifactEntry;
  newest: ArtifactEntry;
  /** Its Markdown. */
  text: string;
  label: string;
  onClose: () => void;
}

export function Editor({ conversation, place, base, newest, text: saved, label, onClose }: Props) {
  const [kept] = useState(() => readDraft(place));
  const [text, setText] = useState(kept || saved);
  const [asking, setAsking] = useState(false);
  const { save, saving, problem } = useSaveVersion(conversation);
  const area = useRef<HTMLTextAreaElement>(null);
  const note = useId();
  const changed = text !== saved;
  const restored = kept !== "" && kept !== saved;
  // Another version was saved meanwhile: warn before saving on top of it.
  const overtaken = newest.id !== base.id;

  useEffect(() => {
    area.current?.focus();
    area.current?.setSelectionRange(0, 0);
  }, []);

  const change = (next: string) => {
    setText(next);
    saveDraft(place, next === saved ? "" : next);
  };
  const close = () => {
    saveDraft(place, "");
    onClose();
  };
  const submit = async () => {
    if (!changed || saving) return;
    if (await save(newest, { text })) close();
  };
  const cancel = () => (changed ? setAsking(true) : close());

  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      submit();
    } else if (event.key === "Escape") {
      event.preventDefault();
      cancel();
    }
  };

  return (
    <form
      className="document-editor"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {restored && <p className="notice calm editor-notice">{t("restored")}</p>}
      {overtaken && (
        <p className="notice calm editor-notice" role="status">
          {t("overtaken", { number: newest.version })}
        </p>
      )}
      <textarea
        ref={area}
        value={text}
        aria-label={t("editing", { what: label })}
        aria-describedby={note}
        spellCheck
        onChange={(event) => change(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {problem && (
        <p className="notice editor-notice" role="alert">
          {problem}
        </p>
      )}
      <footer className="document-editor-actions">
        <p id={note} className="muted">
          {t("editHint")}
        </p>
        <div className="document-editor-buttons">
          <button type="button" className="button" onClick={cancel}>
            {t("cancel")}
          </button>
          <button type="submit" className="button primary" disabled={!changed || saving}>
            {saving ? t("saving") : t("saveAs", { number: newest.version + 1 })}
          </button>
        </div>
      </footer>
      {asking && (
        <Dialog title={t("discardTitle")} onClose={() => setAsking(false)}>
          <p>{t("discardHint")}</p>
          <div className="dialog-actions">
            <button type="button" className="button" onClick={() => setAsking(false)}>
              {t("keepEditing")}
            </button>
            <button type="button" className="button danger" onClick={close}>
              {t("discard")}
            </button>
          </div>
        </Dialog>
      )}
    </form>
  );
}
