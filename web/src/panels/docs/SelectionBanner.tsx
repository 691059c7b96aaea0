/** Banner of a conversation that is answered only from a selected text; shows the text. */

import { useQueryClient } from "@tanstack/react-query";
import { TextSelect } from "lucide-react";
import { api } from "../../api/client";
import type { Conversation } from "../../api/types";
import "./docs.css";
import { t } from "./strings";

export default function SelectionBanner({ conversation }: { conversation: Conversation }) {
  const client = useQueryClient();
  const selection = conversation.metadata["selection"];
  if (typeof selection !== "string" || !selection.trim()) return null;
  const widen = async () => {
    // Metadata is merged; an empty selection removes it.
    const changed = await api.setMetadata(conversation.id, { selection: "" });
    client.setQueryData(["conversation", conversation.id], changed);
  };
  return (
    <aside className="selection" data-panel="docs" aria-label={t("selectionTitle")}>
      <TextSelect aria-hidden size={17} />
      <details>
        <summary>
          <strong>{t("selectionTitle")}</strong> <span className="muted">{t("selectionShow")}</span>
        </summary>
        <blockquote>{selection}</blockquote>
      </details>
      <button type="button" className="button small" onClick={widen}>
        {t("selectionWiden")}
      </button>
    </aside>
  );
}
