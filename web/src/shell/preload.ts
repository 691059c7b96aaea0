/** Requests for the first screen, sent while its code is still loading. */

import { session } from "../api/session";
import { loadChatPage } from "../pages/chatChunk";
import {
  assistantsQuery,
  conversationQuery,
  conversationsQuery,
  inboxQuery,
  issuerQuery,
  personasQuery,
  pinnedQuery,
} from "./queries";
import { queryClient } from "./queryClient";

/** A failure is met again by the page that needs the answer, and shown there. */
export function preload(): void {
  if (!session()) {
    for (const query of [personasQuery, issuerQuery]) void queryClient.prefetchQuery<unknown>(query);
    return;
  }
  const chunks: Promise<unknown>[] = [import("./Sidebar")];
  const conversation = /^\/c\/([\w-]+)$/.exec(location.pathname)?.[1];
  if (conversation) {
    chunks.push(loadChatPage());
    void queryClient.prefetchQuery(conversationQuery(conversation));
  } else if (location.pathname === "/") chunks.push(import("../pages/HomePage"), import("../pages/Tour"));
  for (const query of [assistantsQuery, inboxQuery, pinnedQuery])
    void queryClient.prefetchQuery<unknown>(query);
  void queryClient.prefetchInfiniteQuery(conversationsQuery);
  Promise.all(chunks).catch(() => {});
}
