import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useReachable } from "../api/client";
import { t } from "../i18n";

/** Says that the server is away, and has what is missing loaded when it is back. */
export function ConnectionNote() {
  const reachable = useReachable();
  const client = useQueryClient();
  useEffect(() => {
    if (reachable) void client.refetchQueries({ predicate: ({ state }) => state.status === "error" });
  }, [reachable, client]);
  if (reachable) return null;
  return (
    <p className="banner" role="status">
      {t("chat.reconnecting")}
    </p>
  );
}
