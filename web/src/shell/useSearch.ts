import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "../api/client";

/** How long typing must rest, in milliseconds. */
const REST = 180;
const SHORTEST = 2;

/** The server's matches for a query; `undefined` while it is too short or nothing has arrived yet. */
export function useSearch(query: string) {
  const [asked, setAsked] = useState("");
  const wanted = query.trim();
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), REST);
    return () => clearTimeout(timer);
  }, [wanted]);
  const enabled = asked.length >= SHORTEST && wanted.length >= SHORTEST;
  const { data, isFetching } = useQuery({
    queryKey: ["search", asked],
    queryFn: ({ signal }) => api.search(asked, signal),
    enabled,
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  });
  return {
    results: enabled ? data : undefined,
    /** The results are not yet those of the query. */
    pending: wanted.length >= SHORTEST && (asked !== wanted || isFetching),
  };
}
