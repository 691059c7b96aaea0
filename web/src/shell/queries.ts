import { api } from "../api/client";

/** The assistants this person may use. */
export const assistantsQuery = { queryKey: ["assistants"], queryFn: api.assistants };

/** The person's inbox. Cards arrive over the change stream; polling covers the time when it is down. */
export const inboxQuery = {
  queryKey: ["approvals"],
  queryFn: api.inbox,
  refetchInterval: 30_000,
};
