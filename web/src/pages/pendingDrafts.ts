/** Hands the first message of a new conversation to the page that sends it. */

import type { Draft } from "../chat/chatState";

const waiting = new Map<string, Draft>();

export const putPendingDraft = (conversation: string, draft: Draft): void =>
  void waiting.set(conversation, draft);

export function takePendingDraft(conversation: string): Draft | undefined {
  const draft = waiting.get(conversation);
  waiting.delete(conversation);
  return draft;
}

/** Files added before the conversation existed, with the text typed beside them. */
const files = new Map<string, { files: File[]; text: string }>();

export const putPendingFiles = (conversation: string, given: File[], text: string): void =>
  void files.set(conversation, { files: given, text });

export function takePendingFiles(conversation: string): { files: File[]; text: string } | undefined {
  const found = files.get(conversation);
  files.delete(conversation);
  return found;
}
