import { api } from "../api/client";
import type { Conversation, Page } from "../api/types";

/** The assistants this person may use. */
export const assistantsQuery = { queryKey: ["assistants"], queryFn: api.assistants };

const PAGE = 40;

/** The person's conversations, the most recent first, in pages. */
export const conversationsQuery = {
  queryKey: ["conversations"],
  queryFn: ({ pageParam }: { pageParam: string | null }) =>
    api.conversations({ cursor: pageParam, limit: PAGE }),
  initialPageParam: null as string | null,
  getNextPageParam: (page: Page<Conversation>) => page.cursor,
  refetchInterval: 60_000,
};

/** Those in the person's archive. */
export const archivedQuery = {
  ...conversationsQuery,
  queryKey: ["conversations", "archived"],
  queryFn: ({ pageParam }: { pageParam: string | null }) =>
    api.conversations({ cursor: pageParam, limit: PAGE, view: "archived" }),
};

/** Those that the person pinned. */
export const pinnedQuery = {
  queryKey: ["conversations", "pinned"],
  queryFn: () => api.conversations({ limit: 100, view: "pinned" }),
};

/** The person's inbox. Cards arrive over the change stream; polling covers the time when it is down. */
export const inboxQuery = {
  queryKey: ["approvals"],
  queryFn: api.inbox,
  refetchInterval: 30_000,
  // Notifications are for those who look elsewhere.
  refetchIntervalInBackground: true,
};
