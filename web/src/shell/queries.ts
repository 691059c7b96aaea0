import { api } from "../api/client";

/** Whom this person may talk to. */
export const assistantsQuery = { queryKey: ["assistants"], queryFn: api.assistants };

/** The server tells when one comes; this is for the time when it cannot. */
export const approvalsQuery = {
  queryKey: ["approvals"],
  queryFn: api.approvals,
  refetchInterval: 30_000,
};
