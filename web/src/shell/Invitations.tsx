/** Invitations to companies, in the sidebar. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Building2 } from "lucide-react";
import { useState } from "react";
import { api, asApiError } from "../api/client";
import type { Invitation } from "../api/types";
import { t } from "../i18n";
import { Problem } from "../ui/Problem";

export function Invitations() {
  const { data } = useQuery({ queryKey: ["invitations"], queryFn: api.invitations });
  const waiting = (data ?? []).filter((each) => each.status === "pending");
  if (waiting.length === 0) return null;
  return (
    <ul className="invitations" aria-label={t("invitation.title")}>
      {waiting.map((each) => (
        <Card key={each.id} invitation={each} />
      ))}
    </ul>
  );
}

function Card({ invitation }: { invitation: Invitation }) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const answer = async (how: "accept" | "decline") => {
    setBusy(true);
    try {
      await api.answerInvitation(invitation.id, how);
      // Joining a company adds its conversations to the list.
      await client.invalidateQueries();
    } catch (error) {
      setProblem(asApiError(error).message);
      setBusy(false);
    }
  };
  return (
    <li className="invitation">
      <p>
        <Building2 aria-hidden size={15} />
        {t("invitation.to", { company: invitation.company_name })}
      </p>
      <Problem>{problem}</Problem>
      <div className="invitation-actions">
        <button
          type="button"
          className="button small primary"
          disabled={busy}
          onClick={() => answer("accept")}
        >
          {t("invitation.accept")}
        </button>
        <button type="button" className="button small" disabled={busy} onClick={() => answer("decline")}>
          {t("invitation.decline")}
        </button>
      </div>
    </li>
  );
}
