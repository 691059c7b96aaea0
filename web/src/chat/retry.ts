/** Waits between attempts, which end early when a new attempt may succeed. */

const wake = new EventTarget();

/** Ends every `pause` early. */
export function retryNow(): void {
  wake.dispatchEvent(new Event("retry"));
}

/** Resolves after the delay, when the network or the tab comes back, or when aborted. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      wake.removeEventListener("retry", done);
      removeEventListener("online", done);
      document.removeEventListener("visibilitychange", seen);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const seen = () => document.visibilityState === "visible" && done();
    const timer = setTimeout(done, milliseconds);
    wake.addEventListener("retry", done);
    addEventListener("online", done);
    document.addEventListener("visibilitychange", seen);
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
}
