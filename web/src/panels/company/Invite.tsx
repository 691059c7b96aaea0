/** Inviting a colleague: a link that is shown once, and the invitations that are still open. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Check, Copy, UserPlus } from "lucide-react";
import { useState } from "react";
import { api } from "../../api/client";
import type { Company, InvitationCreated } from "../../api/types";
import { asApiError } from "../../chat/chat";
import { locale } from "../../i18n";
import { useCopy } from "../../ui/useCopy";
import { w } from "./words";

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
    <section className="card company-invite" aria-label={w("invite")}>
      <h2>{w("invite")}</h2>
      <p className="muted">{w("inviteHint")}</p>
      <form
        className="company-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (email.trim() && !busy) void invite();
        }}
      >
        <label className="field">
          <span>{w("inviteEmail")}</span>
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
          <span>{w("inviteAs")}</span>
          <select value={role} onChange={(event) => setRole(event.target.value as typeof role)}>
            <option value="member">{w("member")}</option>
            <option value="admin">{w("admin")}</option>
          </select>
        </label>
        <button type="submit" className="button primary" disabled={busy || !email.trim()}>
          <UserPlus aria-hidden size={16} />
          {w("inviteDo")}
        </button>
      </form>
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {made && <Made invitation={made} />}
      <Open company={company} />
    </section>
  );
}

function Made({ invitation }: { invitation: InvitationCreated }) {
  const { copied, copy } = useCopy();
  // Behind the #, so that the token reaches no server's log.
  const link = `${location.origin}/invitations#${invitation.token}`;
  return (
    <div className="company-link" role="status">
      <label className="field">
        <span>{w("made", { email: invitation.email })}</span>
        <input readOnly value={link} onFocus={(event) => event.target.select()} />
      </label>
      <button type="button" className="button" onClick={() => copy(link)}>
        {copied ? <Check aria-hidden size={16} /> : <Copy aria-hidden size={16} />}
        {copied ? w("copied") : w("copy")}
      </button>
      <p className="muted">{w("madeHint")}</p>
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
      <h3>{w("invitations")}</h3>
      {data?.length === 0 && <p className="muted">{w("noInvitations")}</p>}
      <ul className="company-invited">
        {(data ?? []).map((each) => (
          <li key={each.id}>
            <span className="grow">
              <strong>{each.email}</strong> <span className="pill">{w(each.status)}</span>{" "}
              {each.status === "pending" && (
                <span className="muted">{w("until", { date: date.format(new Date(each.expires_at)) })}</span>
              )}
            </span>
            {each.status === "pending" && (
              <button
                type="button"
                className="button small"
                aria-label={w("revoke", { email: each.email })}
                onClick={async () => {
                  await api.revokeInvitation(company.id, each.id);
                  await client.invalidateQueries({ queryKey: ["company", company.id, "invitations"] });
                }}
              >
                {w("revokeShort")}
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
