/** Behind the link of an invitation: joins the company that the token stands for. */

import { useQueryClient } from "@tanstack/react-query";
import { Building2, TriangleAlert } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { api } from "../../api/client";
import { useSession } from "../../api/session";
import type { Invitation } from "../../api/types";
import { asApiError } from "../../chat/chat";
import { Header } from "../../shell/Header";
import { w } from "./words";

export default function InvitationPage() {
  const client = useQueryClient();
  const me = useSession()?.me;
  const [token] = useState(() => location.hash.slice(1));
  const [joined, setJoined] = useState<Invitation | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const asked = useRef(false);
  useEffect(() => {
    if (!token || asked.current) return;
    asked.current = true;
    // It is used up, and does not belong into the history.
    history.replaceState(null, "", location.pathname);
    api.acceptByToken(token).then(
      async (invitation) => {
        setJoined(invitation);
        await client.invalidateQueries();
      },
      (error) => setProblem(asApiError(error).message),
    );
  }, [token, client]);
  return (
    <div className="page">
      <Header title={w("invitation")} />
      <section className="empty" aria-live="polite">
        {joined ? (
          <>
            <Building2 aria-hidden size={36} />
            <h2>{w("joinedTitle", { company: joined.company_name })}</h2>
            <p className="muted">{w("joinedHint")}</p>
            <Link href="/company" className="button primary">
              {w("toCompany")}
            </Link>
          </>
        ) : problem || !token ? (
          <>
            <TriangleAlert aria-hidden size={36} />
            <h2>{token ? w("refused") : w("noToken")}</h2>
            <p className="muted">{problem ?? w("noTokenHint")}</p>
            {problem && me && (
              <p className="muted">{w("signedInAs", { name: me.name, email: me.email ?? "–" })}</p>
            )}
          </>
        ) : (
          <p className="muted">{w("joining")}</p>
        )}
      </section>
    </div>
  );
}
