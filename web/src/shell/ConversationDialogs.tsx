import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, asApiError } from "../api/client";
import type { Conversation } from "../api/types";
import { t } from "../i18n";
import { notifyTabs } from "../lib/tabs";
import { Dialog } from "../ui/Dialog";
import { Problem } from "../ui/Problem";

interface Props {
  conversation: Conversation;
  onClose: () => void;
}

const LONGEST_TITLE = 255;

export function RenameDialog({ conversation, onClose }: Props) {
  const client = useQueryClient();
  const [title, setTitle] = useState(conversation.title);
  const [problem, setProblem] = useState<string | null>(null);
  const save = async (event: React.FormEvent) => {
    event.preventDefault();
    if (title.trim() === "") return;
    try {
      const changed = await api.rename(conversation.id, title.trim());
      client.setQueryData(["conversation", conversation.id], changed);
      client.invalidateQueries({ queryKey: ["conversations"] });
      notifyTabs({ kind: "list" });
      onClose();
    } catch (error) {
      setProblem(asApiError(error).message);
    }
  };
  return (
    <Dialog title={t("rename.title")} onClose={onClose}>
      <form onSubmit={save}>
        <label className="field">
          <span>{t("rename.label")}</span>
          <input
            value={title}
            maxLength={LONGEST_TITLE}
            onFocus={(event) => event.target.select()}
            onChange={(event) => setTitle(event.target.value)}
          />
        </label>
        <Problem>{problem}</Problem>
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {t("app.cancel")}
          </button>
          <button type="submit" className="button primary" disabled={title.trim() === ""}>
            {t("rename.save")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
