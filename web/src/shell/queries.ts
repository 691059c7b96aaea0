import { api } from "../api/client";

/** The server tells when one comes; this is for the time when it cannot. */
export const approvalsQuery = {
  queryKey: ["approvals"],
  queryFn: api.approvals,
  refetchInterval: 30_000,
};
