/** The server's change stream: one connection for all tabs of a person; the tab that holds it notifies
 * the others. Browsers allow six connections per host, so one stream per tab would exhaust them. */

import { ApiError, request } from "../api/client";
import { events } from "../api/sse";
import { pause } from "../chat/retry";
import { publishChange } from "./tabs";

const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 30_000;

interface PersonEvent {
  conversation_id: string;
  profile_id: string;
  present: boolean;
  asks: boolean;
}

/** Follows until the signal fires. */
export function followChanges(person: string, signal: AbortSignal): void {
  const hold = () => listen(signal);
  if (navigator.locks)
    navigator.locks.request(`frontdesk.change.${person}`, { signal }, hold).catch(() => {});
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
        receive(event.event, event.data);
      }
    } catch (error) {
      // Retry rarely if the server has no such stream or refuses.
      if (error instanceof ApiError && !error.passing) wait = LONGEST_WAIT;
    }
    await pause(wait, signal);
    wait = Math.min(wait * 2, LONGEST_WAIT);
  }
}

function receive(name: string, data: string) {
  const { conversation_id: id, ...about } = JSON.parse(data) as Partial<PersonEvent>;
  if (name === "conversation.changed" && id) publishChange({ kind: "conversation", id });
  if (name === "conversation.changed") publishChange({ kind: "list" });
  if (name.startsWith("approval.")) publishChange({ kind: "approvals" });
  if (name === "presence" && id && about.profile_id)
    publishChange({
      kind: "presence",
      id,
      person: about.profile_id,
      present: about.present === true,
      asks: about.asks === true,
    });
  if (name === "notification") publishChange({ kind: "people" });
  if (name === "snapshot") {
    publishChange({ kind: "approvals" });
    publishChange({ kind: "list" });
    publishChange({ kind: "people" });
  }
}
