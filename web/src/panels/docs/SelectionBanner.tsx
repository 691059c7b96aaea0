/** Says that a conversation looks at nothing but a text that somebody marked, and shows it. */

import { useQueryClient } from "@tanstack/react-query";
import { TextSelect } from "lucide-react";
import { api } from "../../api/client";
import type { Conversation } from "../../api/types";
import { w } from "./words";

export default function SelectionBanner({ conversation }: { conversation: Conversation }) {
  const client = useQueryClient();
  const selection = conversation.metadata["selection"];
  if (typeof selection !== "string" || !selection.trim()) return null;
  const widen = async () => {
    // What is given is put beside what is there; an empty selection is none.
    const changed = await api.setMetadata(conversation.id, { selection: "" });
    client.setQueryData(["conversation", conversation.id], changed);
  };
  return (
    <aside className="selection" aria-label={w("selectionTitle")}>
      <TextSelect aria-hidden size={17} />
      <details>
        <summary>
          <strong>{w("selectionTitle")}</strong> <span className="muted">{w("selectionShow")}</span>
        </summary>
        <blockquote>{selection}</blockquote>
      </details>
      <button type="button" className="button small" onClick={widen}>
        {w("selectionWiden")}
      </button>
    </aside>
  );
}
