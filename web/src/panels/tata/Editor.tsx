/** A document as Markdown in a text field. What was written stays in the browser until it is saved or discarded. */

import { useEffect, useId, useRef, useState } from "react";
import type { ArtifactEntry } from "../../api/types";
import { keepDraft, readDraft } from "../../chat/outbox";
import { Dialog } from "../../ui/Dialog";
import { useSaveVersion } from "./useSaveVersion";
import { w } from "./words";

interface Props {
  conversation: string;
  /** Where unsaved text is kept. */
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
  // Another version came meanwhile. The person is told before the text goes on top of that one.
  const overtaken = newest.id !== base.id;

  useEffect(() => {
    area.current?.focus();
    area.current?.setSelectionRange(0, 0);
  }, []);

  const change = (next: string) => {
    setText(next);
    keepDraft(place, next === saved ? "" : next);
  };
  const close = () => {
    keepDraft(place, "");
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
      {restored && <p className="notice calm">{w("restored")}</p>}
      {overtaken && (
        <p className="notice calm" role="status">
          {w("overtaken", { number: newest.version })}
        </p>
      )}
      <textarea
        ref={area}
        value={text}
        aria-label={w("editing", { what: label })}
        aria-describedby={note}
        spellCheck
        onChange={(event) => change(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {problem && (
        <p className="notice" role="alert">
          {problem}
        </p>
      )}
      <footer className="document-editor-actions">
        <p id={note} className="muted">
          {w("editHint")}
        </p>
        <div className="document-editor-buttons">
          <button type="button" className="button" onClick={cancel}>
            {w("cancel")}
          </button>
          <button type="submit" className="button primary" disabled={!changed || saving}>
            {saving ? w("saving") : w("saveAs", { number: newest.version + 1 })}
          </button>
        </div>
      </footer>
      {asking && (
        <Dialog title={w("discardTitle")} onClose={() => setAsking(false)}>
          <p>{w("discardHint")}</p>
          <div className="dialog-actions">
            <button type="button" className="button" onClick={() => setAsking(false)}>
              {w("keepEditing")}
            </button>
            <button type="button" className="button danger" onClick={close}>
              {w("discard")}
            </button>
          </div>
        </Dialog>
      )}
    </form>
  );
}
