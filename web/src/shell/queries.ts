import { api } from "../api/client";

/** Decisions are asked for often enough that an approver need not reload. */
export const approvalsQuery = {
  queryKey: ["approvals"],
  queryFn: api.approvals,
  refetchInterval: 10_000,
};
