/** Invites a colleague with a link that is shown once; lists open invitations. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Check, Copy, UserPlus } from "lucide-react";
import { useState } from "react";
import { api, asApiError } from "../../api/client";
import type { Company, InvitationCreated } from "../../api/types";
import { locale } from "../../i18n";
import { Problem } from "../../ui/Problem";
import { useCopy } from "../../ui/useCopy";
import { t } from "./strings";

export function Invite({ company }: { company: Company }) {
  const client = useQueryClient();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<"member" | "admin">("member");
  const [made, setMade] = useState<InvitationCreated | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const invite = async () => {
    setBusy(true);
    setProblem(null);
    try {
      setMade(await api.invite(company.id, email.trim(), role));
      setEmail("");
      await client.invalidateQueries({ queryKey: ["company", company.id, "invitations"] });
    } catch (error) {
      setProblem(asApiError(error).message);
    }
    setBusy(false);
  };
  return (
    <section className="card company-invite" aria-label={t("invite")}>
      <h2>{t("invite")}</h2>
      <p className="muted">{t("inviteHint")}</p>
      <form
        className="company-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (email.trim() && !busy) void invite();
        }}
      >
        <label className="field">
          <span>{t("inviteEmail")}</span>
          <input
            type="email"
            required
            autoComplete="off"
            maxLength={254}
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </label>
        <label className="field">
          <span>{t("inviteAs")}</span>
          <select value={role} onChange={(event) => setRole(event.target.value as typeof role)}>
            <option value="member">{t("member")}</option>
            <option value="admin">{t("admin")}</option>
          </select>
        </label>
        <button type="submit" className="button primary" disabled={busy || !email.trim()}>
          <UserPlus aria-hidden size={16} />
          {t("inviteDo")}
        </button>
      </form>
      <Problem>{problem}</Problem>
      {made && <Made invitation={made} />}
      <Open company={company} />
    </section>
  );
}

function Made({ invitation }: { invitation: InvitationCreated }) {
  const { copied, copy } = useCopy();
  // In the fragment, so that the token never reaches a server log.
  const link = `${location.origin}/invitations#${invitation.token}`;
  return (
    <div className="company-link" role="status">
      <label className="field">
        <span>{t("made", { email: invitation.email })}</span>
        <input readOnly value={link} onFocus={(event) => event.target.select()} />
      </label>
      <button type="button" className="button" onClick={() => copy(link)}>
        {copied ? <Check aria-hidden size={16} /> : <Copy aria-hidden size={16} />}
        {copied ? t("copied") : t("copy")}
      </button>
      <p className="muted">{t("madeHint")}</p>
    </div>
  );
}

function Open({ company }: { company: Company }) {
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: ["company", company.id, "invitations"],
    queryFn: () => api.invited(company.id),
  });
  const date = new Intl.DateTimeFormat(locale(), { dateStyle: "medium" });
  return (
    <>
      <h3>{t("invitations")}</h3>
      {data?.length === 0 && <p className="muted">{t("noInvitations")}</p>}
      <ul className="company-invited">
        {(data ?? []).map((each) => (
          <li key={each.id}>
            <span className="grow">
              <strong>{each.email}</strong> <span className="pill">{t(each.status)}</span>{" "}
              {each.status === "pending" && (
                <span className="muted">{t("until", { date: date.format(new Date(each.expires_at)) })}</span>
              )}
            </span>
            {each.status === "pending" && (
              <button
                type="button"
                className="button small"
                aria-label={t("revoke", { email: each.email })}
                onClick={async () => {
                  await api.revokeInvitation(company.id, each.id);
                  await client.invalidateQueries({ queryKey: ["company", company.id, "invitations"] });
                }}
              >
                {t("revokeShort")}
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
