import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { t } from "../i18n";
import { notify } from "../lib/notifications";
import { inboxQuery } from "./queries";

/** Notifies when more waits than before. */
export function useInboxNotifications(): void {
  const { data } = useQuery(inboxQuery);
  const count = data?.count;
  const before = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (count === undefined) return;
    const grown = before.current !== undefined && count > before.current;
    before.current = count;
    if (grown) void notify(t("approval.inbox"), t("approval.waiting", { count }), "/approvals");
  }, [count]);
}
