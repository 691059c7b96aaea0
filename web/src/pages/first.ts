/** The first message of a conversation that is just being made, on its way to the page that sends it. */

import type { Draft } from "../chat/chat";

const waiting = new Map<string, Draft>();

export const putFirst = (conversation: string, draft: Draft): void => void waiting.set(conversation, draft);

export function takeFirst(conversation: string): Draft | undefined {
  const draft = waiting.get(conversation);
  waiting.delete(conversation);
  return draft;
}
