/** The first message of a conversation that is just being made, on its way to the page that sends it. */

import type { Draft } from "../chat/chat";

const waiting = new Map<string, Draft>();

export const putFirst = (conversation: string, draft: Draft): void => void waiting.set(conversation, draft);

export function takeFirst(conversation: string): Draft | undefined {
  const draft = waiting.get(conversation);
  waiting.delete(conversation);
  return draft;
}

/** Files that were added before there was a conversation, and what was written beside them. */
const files = new Map<string, { files: File[]; text: string }>();

export const putFiles = (conversation: string, given: File[], text: string): void =>
  void files.set(conversation, { files: given, text });

export function takeFiles(conversation: string): { files: File[]; text: string } | undefined {
  const found = files.get(conversation);
  files.delete(conversation);
  return found;
}
