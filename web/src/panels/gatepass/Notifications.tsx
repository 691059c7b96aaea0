/** Notifications for HR and administrators. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Bell, Check } from "lucide-react";
import { useState } from "react";
import { useSession } from "../../api/session";
import { serverSentences } from "../../i18n";
import { full } from "../../lib/time";
import { Dialog } from "../../ui/Dialog";
import { gatepass, parsePassNumber } from "./api";
import { t } from "./strings";

export function Notifications({ onPass }: { onPass: (number: string) => void }) {
  const roles = useSession()?.me.roles ?? [];
  const role = roles.includes("Admin_User") ? "admin" : roles.includes("HR_User") ? "hr" : null;
  const [open, setOpen] = useState(false);
  const client = useQueryClient();
  const news = useQuery({
    queryKey: ["gatepass", "notices", role],
    queryFn: () => gatepass.notices(role ?? "hr"),
    enabled: role !== null,
    refetchInterval: 30_000,
  });
  if (!role) return null;
  const unread = news.data?.unread ?? 0;
  return (
    <>
      <button type="button" className="icon-button bell" onClick={() => setOpen(true)}>
        <Bell aria-hidden size={18} />
        {unread > 0 && (
          <span className="count bell-count" aria-hidden>
            {unread}
          </span>
        )}
        <span className="sr-only">
          {t("notifications")}
          {unread > 0 && `, ${t("unread", { count: unread })}`}
        </span>
      </button>
      {open && (
        <Dialog title={t("notifications")} onClose={() => setOpen(false)} className="form-dialog">
          {news.data?.items.length === 0 && <p className="muted">{t("noNews")}</p>}
          <ul className="notices">
            {news.data?.items.map((notice) => {
              const number = parsePassNumber(notice.message);
              const message = serverSentences(notice.message);
              return (
                <li key={notice.id} data-read={notice.is_read}>
                  <button
                    type="button"
                    className="notice-words"
                    disabled={!number}
                    onClick={() => {
                      setOpen(false);
                      if (number) onPass(number);
                    }}
                  >
                    {message}
                    <time dateTime={notice.created_at}>{full(notice.created_at)}</time>
                  </button>
                  {!notice.is_read && (
                    <button
                      type="button"
                      className="icon-button small"
                      aria-label={`${t("markRead")}: ${message}`}
                      title={t("markRead")}
                      onClick={async () => {
                        await gatepass.markRead(notice.id);
                        await client.invalidateQueries({ queryKey: ["gatepass", "notices"] });
                      }}
                    >
                      <Check aria-hidden size={15} />
                    </button>
                  )}
                </li>
              );
            })}
          </ul>
        </Dialog>
      )}
    </>
  );
}
