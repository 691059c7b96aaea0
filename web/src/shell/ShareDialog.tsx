/** Links that show a conversation to a colleague or a company, for reading. */

import { useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { api, asApiError } from "../api/client";
import { useSession } from "../api/session";
import type { Conversation, Share } from "../api/types";
import { t } from "../i18n";
import { titleShown } from "../lib/serverNames";
import { full } from "../lib/time";
import { CopyButton } from "../ui/CopyButton";
import { Dialog } from "../ui/Dialog";
import { Problem } from "../ui/Problem";

const DAYS = [7, 30, 90];

export default function ShareDialog({
  conversation,
  onClose,
}: {
  conversation: Conversation;
  onClose: () => void;
}) {
  const me = useSession()?.me.id;
  const client = useQueryClient();
  const companies = useQuery({ queryKey: ["companies"], queryFn: api.companies }).data ?? [];
  const members = useQueries({
    queries: companies.map(({ id }) => ({ queryKey: ["members", id], queryFn: () => api.members(id) })),
  }).flatMap(({ data }) => data ?? []);
  const colleagues = new Map(
    members.filter(({ profile_id }) => profile_id !== me).map((each) => [each.profile_id, each.display_name]),
  );
  const links = useQuery({
    queryKey: ["shares", conversation.id],
    queryFn: () => api.shares(conversation.id),
  });
  const [chosen, setChosen] = useState("");
  const [days, setDays] = useState(30);
  const [problem, setProblem] = useState<string | null>(null);
  const first = companies[0] ? `company:${companies[0].id}` : "";
  const audience = chosen || first;
  const refresh = () => client.invalidateQueries({ queryKey: ["shares", conversation.id] });
  const nameOf = (share: Share) =>
    "company" in share.audience
      ? (companies.find(({ id }) => id === (share.audience as { company: string }).company)?.name ?? "")
      : (colleagues.get(share.audience.profile) ?? t("chat.former"));

  const create = async (event: React.FormEvent) => {
    event.preventDefault();
    const [kind, id] = audience.split(":");
    if (!id) return;
    try {
      await api.share(conversation.id, kind === "company" ? { company: id } : { profile: id }, days);
      setProblem(null);
      refresh();
    } catch (error) {
      setProblem(asApiError(error).message);
    }
  };
  return (
    <Dialog title={t("share.title", { title: titleShown(conversation.title) })} onClose={onClose}>
      <p className="muted">{t("share.lead")}</p>
      {companies.length === 0 ? (
        <p>{t("share.alone")}</p>
      ) : (
        <form className="share-form" onSubmit={create}>
          <label className="field grow">
            <span>{t("share.with")}</span>
            <select value={audience} onChange={(event) => setChosen(event.target.value)}>
              {companies.map((company) => (
                <option key={company.id} value={`company:${company.id}`}>
                  {t("share.everyone", { company: company.name })}
                </option>
              ))}
              {[...colleagues].map(([id, name]) => (
                <option key={id} value={`profile:${id}`}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <label className="field">
            <span>{t("share.for")}</span>
            <select value={days} onChange={(event) => setDays(Number(event.target.value))}>
              {DAYS.map((count) => (
                <option key={count} value={count}>
                  {t("share.days", { count })}
                </option>
              ))}
            </select>
          </label>
          <button type="submit" className="button primary">
            {t("share.create")}
          </button>
        </form>
      )}
      <Problem>{problem}</Problem>
      {links.data && links.data.length > 0 && (
        <ul className="share-links" aria-label={t("share.links")}>
          {links.data.map((share) => (
            <ShareLink
              key={share.id}
              share={share}
              name={nameOf(share)}
              onRevoke={async () => {
                await api.revokeShare(conversation.id, share.id).catch(() => setProblem(t("toast.failed")));
                refresh();
              }}
            />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function ShareLink({ share, name, onRevoke }: { share: Share; name: string; onRevoke: () => void }) {
  return (
    <li>
      <span className="grow">
        <strong>{name}</strong>
        <small>{t("share.until", { date: full(share.expires_at) })}</small>
      </span>
      <CopyButton text={`${location.origin}/shared/${share.id}`} words={t("share.copy")} />
      <button
        type="button"
        className="icon-button small"
        aria-label={t("share.revoke", { name })}
        title={t("share.revoke", { name })}
        onClick={onRevoke}
      >
        <Trash2 aria-hidden size={15} />
      </button>
    </li>
  );
}
