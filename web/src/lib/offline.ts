/** The service worker, which opens the page without a connection. */

/** Registers it once the page is idle: the first screen comes first. */
export function startOffline(): void {
  if (!("serviceWorker" in navigator) || import.meta.env.DEV) return;
  const register = () => {
    const policy = globalThis.trustedTypes?.createPolicy("frontdesk-worker", {
      createScriptURL: (url) => url,
    });
    const url = policy ? (policy.createScriptURL("/sw.js") as string) : "/sw.js";
    // Storage may be forbidden; the page then needs a connection, as before.
    navigator.serviceWorker.register(url).catch(() => {});
  };
  const idle = () =>
    "requestIdleCallback" in globalThis ? requestIdleCallback(register) : setTimeout(register);
  if (document.readyState === "complete") idle();
  else addEventListener("load", idle, { once: true });
}
