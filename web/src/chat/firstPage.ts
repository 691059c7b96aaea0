/** The newest messages of the conversation that the page opens with, asked for while its code loads. */

import { api } from "../api/client";
import type { Id, Message, Page } from "../api/types";

const PAGE = 50;

/** The newest messages, or those before the cursor. */
export const loadPage = (id: Id, cursor: string | null): Promise<Page<Message>> =>
  api.messages(id, { cursor, limit: PAGE, order: "newest" });

let ahead: { id: Id; page: Promise<Page<Message>> } | null = null;

export function requestFirstPage(id: Id): void {
  const page = loadPage(id, null);
  // The conversation meets the failure again, and says so.
  page.catch(() => {});
  ahead = { id, page };
}

/** Once: a conversation that is opened again asks again. */
export function firstPage(id: Id): Promise<Page<Message>> {
  const asked = ahead?.id === id ? ahead.page : null;
  ahead = null;
  return asked ?? loadPage(id, null);
}
