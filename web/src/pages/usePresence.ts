/** The colleagues who have this conversation open, and telling them that one has it open as well. */

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "../api/client";
import type { Conversation, Id } from "../api/types";
import { subscribeToChanges } from "../lib/tabs";

/** Between two announcements, in milliseconds. */
const AGAIN = 20_000;
/** A person who was not heard of for so long is gone. */
const GONE = 60_000;

/** Names of the colleagues, in the order in which they came. */
export function usePresence({ id, company_id, subject }: Conversation): string[] {
  const company = subject ? null : company_id;
  const [seen, setSeen] = useState<ReadonlyMap<Id, number>>(new Map());
  useEffect(() => {
    if (!company) return;
    const heard = new Map<Id, number>();
    let open = false;
    const announce = (present: boolean, asks = false) => {
      open = present;
      // The next announcement makes up for a lost one.
      void api.announcePresence(id, present, asks).catch(() => {});
    };
    const look = () => {
      const visible = document.visibilityState === "visible";
      if (visible || open) announce(visible, !open);
      for (const [person, at] of heard) if (Date.now() - at > GONE) heard.delete(person);
      setSeen(new Map(heard));
    };
    const leave = () => {
      if (open) announce(false);
    };
    const unsubscribe = subscribeToChanges((change) => {
      // The stream is connected: earlier replies were not heard.
      if (change.kind === "people" && open) announce(true, true);
      if (change.kind !== "presence" || change.id !== id) return;
      if (change.asks && open) announce(true);
      if (change.present) heard.set(change.person, Date.now());
      else heard.delete(change.person);
      setSeen(new Map(heard));
    });
    look();
    const timer = setInterval(look, AGAIN);
    document.addEventListener("visibilitychange", look);
    addEventListener("pagehide", leave);
    return () => {
      clearInterval(timer);
      unsubscribe();
      document.removeEventListener("visibilitychange", look);
      removeEventListener("pagehide", leave);
      leave();
      setSeen(new Map());
    };
  }, [id, company]);
  const { data: members } = useQuery({
    queryKey: ["members", company],
    queryFn: () => api.members(company ?? ""),
    enabled: company !== null && seen.size > 0,
  });
  return [...seen.keys()].flatMap(
    (person) => members?.find(({ profile_id }) => profile_id === person)?.display_name ?? [],
  );
}
