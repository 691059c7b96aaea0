/** Mails when something waits. They are in the language of the page, also after it changed. */

import { useEffect } from "react";
import { api } from "../api/client";
import type { InboxMailStatus } from "../api/schema";
import { session } from "../api/session";
import { currentLanguage } from "../i18n";
import { keep, kept } from "./storage";

const KEY = "frontdesk.mailLanguage";

/** Several people may use one browser. */
const mark = () => `${session()?.me.id} ${currentLanguage()}`;

export async function setInboxMail(on: boolean): Promise<InboxMailStatus> {
  const status = await api.setInboxMail(on, currentLanguage());
  keep(KEY, status.on ? mark() : "");
  return status;
}

/** Brings mails that were turned on in another browser to the language of this page. */
export function useInboxMailHere(on: boolean): void {
  useEffect(() => {
    if (on && kept(KEY) !== mark()) setInboxMail(true).catch(() => {});
  }, [on]);
}

/** Used where a change of language starts anew. */
export function useMailLanguage(): void {
  useEffect(() => {
    const [person, language] = kept(KEY)?.split(" ") ?? [];
    // A failure leaves the mails in the earlier language.
    if (person === session()?.me.id && language !== currentLanguage()) setInboxMail(true).catch(() => {});
  }, []);
}
