/** Hears from the server what happens elsewhere: one stream for all tabs of a person, whose news the others get
 * from it. Browsers keep only six connections to a server, so a stream for each tab would soon stop them all. */

import { ApiError, request } from "../api/client";
import { events } from "../api/sse";
import { pause } from "../chat/follow";
import { announce } from "./tabs";

const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 30_000;

/** Follows until the signal fires. */
export function followNews(person: string, signal: AbortSignal): void {
  const hold = () => listen(signal);
  if (navigator.locks) navigator.locks.request(`frontdesk.news.${person}`, { signal }, hold).catch(() => {});
  else void hold();
}

async function listen(signal: AbortSignal): Promise<void> {
  let wait = FIRST_WAIT;
  while (!signal.aborted) {
    try {
      const response = await request("/events", { headers: { accept: "text/event-stream" }, signal });
      wait = FIRST_WAIT;
      for await (const event of events(response)) {
        if (signal.aborted) return;
        hear(event.event, event.data);
      }
    } catch (error) {
      // A server without such a stream, or one that refuses us, is asked rarely.
      if (error instanceof ApiError && !error.passing) wait = LONGEST_WAIT;
    }
    await pause(wait, signal);
    wait = Math.min(wait * 2, LONGEST_WAIT);
  }
}

function hear(name: string, data: string) {
  const { conversation_id: id } = JSON.parse(data) as { conversation_id?: string };
  if (name === "conversation.changed" && id) announce({ kind: "conversation", id });
  if (name === "conversation.changed") announce({ kind: "list" });
  if (name.startsWith("approval.")) announce({ kind: "approvals" });
  if (name === "notification") announce({ kind: "people" });
  if (name === "snapshot") {
    announce({ kind: "approvals" });
    announce({ kind: "list" });
    announce({ kind: "people" });
  }
}
