/** Before the first message: start a conversation that is answered from the person's own text only. */

import { TextSelect } from "lucide-react";
import { useState } from "react";
import { asApiError } from "../../api/client";
import type { StartConversation } from "../../pages/useStartConversation";
import { Dialog } from "../../ui/Dialog";
import { askAbout, LONGEST_SELECTION } from "./ask";
import "./docs.css";
import { Problem } from "../../ui/Problem";
import { t } from "./strings";

export default function SelectionOffer(startConversation: StartConversation) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="button small selection-offer"
        data-panel="docs"
        onClick={() => setOpen(true)}
      >
        <TextSelect aria-hidden size={15} />
        {t("offer")}
      </button>
      {open && <OwnTextDialog {...startConversation} onClose={() => setOpen(false)} />}
    </>
  );
}

function OwnTextDialog({ busy, start, onClose }: StartConversation & { onClose: () => void }) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (event: React.FormEvent) => {
    event.preventDefault();
    try {
      await start(() => askAbout(text, ""));
    } catch (error) {
      setProblem(asApiError(error).message);
    }
  };
  return (
    <Dialog title={t("offer")} onClose={onClose} className="form-dialog">
      <form className="schema-form" onSubmit={submit}>
        <label className="field">
          <span>{t("offerLabel")}</span>
          <textarea
            rows={8}
            data-autofocus
            maxLength={LONGEST_SELECTION}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <small>{t("offerHint")}</small>
        </label>
        <Problem>{problem}</Problem>
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {t("app.cancel")}
          </button>
          <button type="submit" className="button primary" disabled={busy || text.trim() === ""}>
            {t("offerStart")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
