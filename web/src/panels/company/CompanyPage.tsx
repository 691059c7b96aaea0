/** The person's companies: members, invitations and shared conversations. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Building2, ChevronDown, LogOut, UserMinus } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { api, asApiError } from "../../api/client";
import { useSession } from "../../api/session";
import type { Company, Member } from "../../api/types";
import { locale } from "../../i18n";
import { assistantName, titleShown } from "../../lib/serverNames";
import { Header } from "../../shell/Header";
import { Dialog } from "../../ui/Dialog";
import { Scroll } from "../../ui/Scroll";
import { Invite } from "./Invite";
import { t } from "./strings";
import "./company.css";
import { Problem } from "../../ui/Problem";

export default function CompanyPage() {
  const { data } = useQuery({ queryKey: ["companies"], queryFn: api.companies });
  const [chosen, setChosen] = useState<string | null>(null);
  const company = data?.find((each) => each.id === chosen) ?? data?.[0];
  return (
    <div className="page" data-panel="company">
      <Header title={company?.name ?? t("title")} />
      <div className="panel-page">
        <p className="lead">{t("lead")}</p>
        {data && data.length > 1 && (
          <fieldset className="filters" aria-label={t("choose")}>
            {data.map((each) => (
              <button
                key={each.id}
                type="button"
                className="filter"
                aria-pressed={each.id === company?.id}
                onClick={() => setChosen(each.id)}
              >
                {each.name}
              </button>
            ))}
          </fieldset>
        )}
        {data?.length === 0 && (
          <section className="empty">
            <Building2 aria-hidden size={36} />
            <h2>{t("none")}</h2>
            <p className="muted">{t("noneHint")}</p>
          </section>
        )}
        {company && <OneCompany key={company.id} company={company} />}
        {data && <Found onFounded={setChosen} open={data.length === 0} />}
      </div>
    </div>
  );
}

function OneCompany({ company }: { company: Company }) {
  const runs = company.role !== "member";
  return (
    <>
      <Members company={company} />
      {runs && <Invite company={company} />}
      <Shared company={company} />
    </>
  );
}

function Members({ company }: { company: Company }) {
  const client = useQueryClient();
  const me = useSession()?.me;
  const { data } = useQuery({
    queryKey: ["company", company.id, "members"],
    queryFn: () => api.members(company.id),
  });
  const [leaving, setLeaving] = useState<Member | "me" | null>(null);
  const date = new Intl.DateTimeFormat(locale(), { dateStyle: "medium" });
  const owner = company.role === "owner";
  return (
    <section aria-label={t("members")}>
      <div className="panel-bar">
        <h2>{t("members")}</h2>
        {!owner && (
          <button type="button" className="button small" onClick={() => setLeaving("me")}>
            <LogOut aria-hidden size={15} />
            {t("leave")}
          </button>
        )}
      </div>
      <Scroll className="panel-table" label={t("members")}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("name")}</th>
              <th scope="col" className="company-wide">
                {t("email")}
              </th>
              <th scope="col">{t("standing")}</th>
              <th scope="col" className="company-wide">
                {t("joined")}
              </th>
              {owner && (
                <th>
                  <span className="sr-only">{t("removeDo")}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {(data ?? []).map((member) => (
              <tr key={member.profile_id}>
                <td>
                  <strong>{member.display_name}</strong>{" "}
                  {member.profile_id === me?.id && <span className="muted">({t("you")})</span>}
                </td>
                <td className="company-wide">{member.email ?? "–"}</td>
                <td>
                  <span className={member.role === "owner" ? "pill good" : "pill"}>{t(member.role)}</span>
                </td>
                <td className="company-wide short">{date.format(new Date(member.joined_at))}</td>
                {owner && (
                  <td className="tight">
                    {member.role !== "owner" && (
                      <button
                        type="button"
                        className="icon-button small"
                        aria-label={t("remove", { name: member.display_name })}
                        onClick={() => setLeaving(member)}
                      >
                        <UserMinus aria-hidden size={15} />
                      </button>
                    )}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {leaving && (
        <Confirm
          title={
            leaving === "me"
              ? t("leaveTitle", { company: company.name })
              : t("removeTitle", { name: leaving.display_name })
          }
          body={leaving === "me" ? t("leaveBody") : t("removeBody")}
          yes={leaving === "me" ? t("leaveDo") : t("removeDo")}
          onClose={() => setLeaving(null)}
          onYes={async () => {
            if (leaving === "me") await api.leaveCompany(company.id);
            else await api.removeMember(company.id, leaving.profile_id);
            await client.invalidateQueries();
          }}
        />
      )}
    </section>
  );
}

interface ConfirmProps {
  title: string;
  body: string;
  yes: string;
  onClose: () => void;
  onYes: () => Promise<void>;
}

function Confirm({ title, body, yes, onClose, onYes }: ConfirmProps) {
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{body}</p>
      <Problem>{problem}</Problem>
      <div className="dialog-actions">
        <button type="button" className="button" data-autofocus onClick={onClose}>
          {t("app.cancel")}
        </button>
        <button
          type="button"
          className="button danger"
          onClick={() => onYes().then(onClose, (error) => setProblem(asApiError(error).message))}
        >
          {yes}
        </button>
      </div>
    </Dialog>
  );
}

/** Conversations shared in the company. */
function Shared({ company }: { company: Company }) {
  const { data } = useQuery({
    queryKey: ["conversations", "of", company.id],
    queryFn: () => api.conversations({ company_id: company.id, limit: 50 }),
  });
  const members = useQuery({
    queryKey: ["company", company.id, "members"],
    queryFn: () => api.members(company.id),
  });
  const nameOf = (id: string) => members.data?.find((each) => each.profile_id === id)?.display_name ?? "";
  return (
    <section aria-label={t("shared")}>
      <div className="panel-bar">
        <h2>{t("shared")}</h2>
      </div>
      {data?.items.length === 0 && <p className="muted">{t("noShared")}</p>}
      <ul className="company-talks">
        {(data?.items ?? []).map((each) => (
          <li key={each.id}>
            <Link href={`/c/${each.id}`} className="cell-link">
              <strong>{titleShown(each.title)}</strong>
              <span className="muted">
                {assistantName(each.assistant, each.assistant)}
                {nameOf(each.user_id) && ` · ${t("by", { name: nameOf(each.user_id) })}`}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Found({ onFounded, open }: { onFounded: (id: string) => void; open: boolean }) {
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const found = async () => {
    setProblem(null);
    try {
      const made = await api.foundCompany(name.trim());
      setName("");
      await client.invalidateQueries({ queryKey: ["companies"] });
      onFounded(made.id);
    } catch (error) {
      setProblem(asApiError(error).message);
    }
  };
  return (
    <details className="card company-found" open={open}>
      <summary>
        {t("found")}
        <ChevronDown aria-hidden size={18} />
      </summary>
      <form
        className="company-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim()) void found();
        }}
      >
        <label className="field">
          <span>{t("foundName")}</span>
          <input value={name} maxLength={255} onChange={(event) => setName(event.target.value)} />
        </label>
        <button type="submit" className="button" disabled={!name.trim()}>
          {t("foundDo")}
        </button>
      </form>
      <Problem>{problem}</Problem>
    </details>
  );
}
