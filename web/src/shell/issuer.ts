/** Sign-in at the configured issuer: OpenID Connect authorization code flow with PKCE. The browser is redirected there and
 * back with a code; our own server exchanges it, so the page makes no request to another host. */

import { api } from "../api/client";
import type { Session } from "../api/session";
import type { IssuerOffer } from "../api/types";
import { RETURN_PATH } from "./returnPath";

const KEY = "frontdesk.sign-in";

interface Begun {
  state: string;
  verifier: string;
  /** Path to return to. */
  back: string;
}

export async function startSignIn(offer: IssuerOffer): Promise<void> {
  const begun: Begun = {
    state: random(),
    verifier: random() + random(),
    back: location.pathname === RETURN_PATH ? "/" : location.pathname + location.search + location.hash,
  };
  sessionStorage.setItem(KEY, JSON.stringify(begun));
  const url = new URL(offer.authorization_endpoint);
  const asked = {
    response_type: "code",
    client_id: offer.client_id,
    redirect_uri: returnAddress(),
    scope: offer.scope,
    state: begun.state,
    code_challenge: await challenge(begun.verifier),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  location.assign(url);
}

export class SignInError extends Error {}

/** Exchanges the code of a redirect for a session. Rejects a redirect that this tab did not start. */
export async function finishSignIn(search: string): Promise<{ session: Session; back: string }> {
  const given = new URLSearchParams(search);
  const begun = read();
  sessionStorage.removeItem(KEY);
  const code = given.get("code");
  if (!begun || given.get("state") !== begun.state) throw new SignInError("");
  if (!code) throw new SignInError(given.get("error_description") ?? given.get("error") ?? "");
  const session = await api.signIn({
    code,
    code_verifier: begun.verifier,
    redirect_uri: returnAddress(),
  });
  // Only a path of this page, whatever the stored state says.
  const back = /^\/(?![/\\])/.test(begun.back) ? begun.back : "/";
  return { session, back };
}

const returnAddress = () => location.origin + RETURN_PATH;

function read(): Begun | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Begun | null;
  } catch {
    return null;
  }
}

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

async function challenge(verifier: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return base64url(new Uint8Array(hash));
}
