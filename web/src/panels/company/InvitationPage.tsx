/** The page behind an invitation link: joins the company of the token. */

import { useQueryClient } from "@tanstack/react-query";
import { Building2, TriangleAlert } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { api, asApiError } from "../../api/client";
import { useSession } from "../../api/session";
import type { Invitation } from "../../api/types";
import { Header } from "../../shell/Header";
import { t } from "./strings";

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
    // The token is single-use; keep it out of the browser history.
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
    <div className="page" data-panel="company">
      <Header title={t("invitation")} />
      <section className="empty" aria-live="polite">
        {joined ? (
          <>
            <Building2 aria-hidden size={36} />
            <h2>{t("joinedTitle", { company: joined.company_name })}</h2>
            <p className="muted">{t("joinedHint")}</p>
            <Link href="/company" className="button primary">
              {t("toCompany")}
            </Link>
          </>
        ) : problem || !token ? (
          <>
            <TriangleAlert aria-hidden size={36} />
            <h2>{token ? t("refused") : t("noToken")}</h2>
            <p className="muted">{problem ?? t("noTokenHint")}</p>
            {problem && me && (
              <p className="muted">{t("signedInAs", { name: me.name, email: me.email ?? "–" })}</p>
            )}
          </>
        ) : (
          <p className="muted">{t("joining")}</p>
        )}
      </section>
    </div>
  );
}
