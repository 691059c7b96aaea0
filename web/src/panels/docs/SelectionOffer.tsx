/** Before the first message: bring a text of one's own and be answered from it alone. */

import { TextSelect } from "lucide-react";
import { useState } from "react";
import { asApiError } from "../../chat/chat";
import { t } from "../../i18n";
import type { Beginning } from "../../pages/beginning";
import { Dialog } from "../../ui/Dialog";
import { askAbout, LONGEST_SELECTION } from "./ask";
import { w } from "./words";

export default function SelectionOffer(beginning: Beginning) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button small selection-offer" onClick={() => setOpen(true)}>
        <TextSelect aria-hidden size={15} />
        {w("offer")}
      </button>
      {open && <Bring {...beginning} onClose={() => setOpen(false)} />}
    </>
  );
}

function Bring({ busy, begin, onClose }: Beginning & { onClose: () => void }) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const start = async (event: React.FormEvent) => {
    event.preventDefault();
    try {
      await begin(() => askAbout(text, ""));
    } catch (error) {
      setProblem(asApiError(error).message);
    }
  };
  return (
    <Dialog title={w("offer")} onClose={onClose} className="form-dialog">
      <form className="schema-form" onSubmit={start}>
        <label className="field">
          <span>{w("offerLabel")}</span>
          <textarea
            rows={8}
            data-autofocus
            maxLength={LONGEST_SELECTION}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <small>{w("offerHint")}</small>
        </label>
        {problem && (
          <p className="problem" role="alert">
            {problem}
          </p>
        )}
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {t("app.cancel")}
          </button>
          <button type="submit" className="button primary" disabled={busy || text.trim() === ""}>
            {w("offerStart")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
