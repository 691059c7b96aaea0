import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useSession } from "../api/session";
import { retryNow } from "../chat/retry";
import { followChanges } from "../lib/changeStream";
import { subscribeToChanges } from "../lib/tabs";

/** Refetches what changed in another tab or on the server. */
export function useChanges(): void {
  const client = useQueryClient();
  const person = useSession()?.me.id ?? "";
  useEffect(() => {
    const stopped = new AbortController();
    followChanges(person, stopped.signal);
    const unsubscribe = subscribeToChanges((change) => {
      if (change.kind === "list") client.invalidateQueries({ queryKey: ["conversations"] });
      if (change.kind === "conversation") client.invalidateQueries({ queryKey: ["conversation", change.id] });
      if (change.kind === "approvals") {
        client.invalidateQueries({ queryKey: ["approvals"] });
        retryNow();
      }
      if (change.kind === "people") client.invalidateQueries({ queryKey: ["invitations"] });
    });
    return () => {
      stopped.abort();
      unsubscribe();
    };
  }, [client, person]);
}
