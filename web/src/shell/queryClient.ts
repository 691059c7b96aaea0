import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "../api/client";

/** Retries transient failures only. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (count, error) => count < 5 && error instanceof ApiError && error.passing,
      retryDelay: (attempt) => Math.min(500 * 2 ** attempt, 5_000),
      networkMode: "always",
    },
  },
});
