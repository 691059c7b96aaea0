import { useEffect, useState } from "react";

/** The current time, updated every second until `until` has passed. */
export function useNow(until: number | null): number {
  const [now, setNow] = useState(Date.now);
  const running = until !== null && until > now;
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [running]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new moment is counted from now
  useEffect(() => setNow(Date.now()), [until]);
  return now;
}
