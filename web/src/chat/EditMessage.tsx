/** A message in edit: its text in place of the bubble. Saving asks for a new answer. */

import { useLayoutEffect, useRef, useState } from "react";
import { t } from "../i18n";
import { Problem } from "../ui/Problem";
import type { Failure } from "./outbox";

interface Props {
  text: string;
  onSave: (text: string) => Promise<Failure | null>;
  onClose: () => void;
}

export function EditMessage({ text: before, onSave, onClose }: Props) {
  const [text, setText] = useState(before);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  // Before the next keystroke: a later focus would lose it.
  useLayoutEffect(() => {
    area.current?.focus();
    area.current?.setSelectionRange(before.length, before.length);
  }, [before]);
  const empty = text.trim() === "";
  const save = async () => {
    if (empty || busy) return;
    setBusy(true);
    const refused = await onSave(text);
    setBusy(false);
    setFailure(refused);
  };
  return (
    <form
      className="edit-message"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <textarea
        ref={area}
        value={text}
        rows={Math.min(10, text.split("\n").length + 1)}
        aria-label={t("chat.editLabel")}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Escape") {
            event.preventDefault();
            onClose();
          }
          if (event.key === "Enter" && !event.shiftKey) {
            event.preventDefault();
            void save();
          }
        }}
      />
      <p className="edit-hint">{t("chat.editHint")}</p>
      {failure && <Problem>{failure.status === 0 ? t("error.offline") : failure.message}</Problem>}
      <div className="edit-actions">
        <button type="button" className="button small" onClick={onClose}>
          {t("app.cancel")}
        </button>
        <button type="submit" className="button small primary" disabled={empty || busy}>
          {t("chat.send")}
        </button>
      </div>
    </form>
  );
}
