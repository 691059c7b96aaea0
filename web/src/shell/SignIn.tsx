/** Sign-in: demo personas, the identity provider, or a token. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronRight, KeyRound, LogIn } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { api, asApiError } from "../api/client";
import { session, startSession } from "../api/session";
import type { Persona } from "../api/types";
import { chooseLanguage, currentLanguage, LANGUAGES, type Language, t } from "../i18n";
import { BRAND_NAME } from "../lib/brand";
import { roleArea, roleNames, roleTry } from "../lib/serverNames";
import { Brand } from "../ui/Brand";
import { Problem } from "../ui/Problem";
import { Initials } from "./AccountMenu";

/** Only people of an identity provider need it. */
const issuerFlow = () => import("./issuer");

/** The sign-in page. */
export function SignInPage({ problem = null }: { problem?: string | null }) {
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <Brand size={52} />
        <h1>{t("signIn.title", { brand: BRAND_NAME })}</h1>
        <p className="lead">{t("app.tagline")}</p>
        <Problem>{problem}</Problem>
        <SignInChoices />
      </div>
      <footer className="sign-in-foot">
        <label>
          <span className="sr-only">{t("settings.language")}</span>
          <select
            value={currentLanguage()}
            onChange={(event) => chooseLanguage(event.target.value as Language)}
          >
            {Object.entries(LANGUAGES).map(([code, name]) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </footer>
    </main>
  );
}

/** The redirect target of the identity provider. */
export function ReturnPage() {
  const [problem, setProblem] = useState<string | null>(null);
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const begun = useRef(false);
  useEffect(() => {
    // A code can be exchanged only once.
    if (begun.current) return;
    begun.current = true;
    const fail = (reason: string) =>
      setProblem(t("signIn.failed", { reason: reason || t("signIn.notBegun") }));
    issuerFlow().then(
      ({ finishSignIn, SignInError }) =>
        finishSignIn(location.search).then(
          ({ session: next, back }) => {
            if (session()?.me.id !== next.me.id) client.clear();
            startSession(next);
            navigate(back, { replace: true });
          },
          (error: unknown) => fail(error instanceof SignInError ? error.message : asApiError(error).message),
        ),
      () => fail(t("error.offline")),
    );
  }, [client, navigate]);
  if (problem) return <SignInPage problem={problem} />;
  return (
    <main className="sign-in" aria-busy="true">
      <p className="lead">{t("app.loading")}</p>
    </main>
  );
}

export function SignInChoices() {
  const personas = useQuery({ queryKey: ["personas"], queryFn: api.personas, retry: 1 });
  const issuer = useQuery({ queryKey: ["sign-in"], queryFn: api.signInOffer, retry: 1 });
  const client = useQueryClient();
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const enter = async (
    how: () => Promise<{ token: string; me: Awaited<ReturnType<typeof api.me>> }>,
    wrong: "signIn.wrong" | "signIn.failed",
  ) => {
    setBusy(true);
    setProblem(null);
    const before = session()?.me.id;
    try {
      const next = await how();
      // Drop everything that was fetched for the previous user.
      if (before !== next.me.id) client.clear();
      startSession(next);
      await client.invalidateQueries();
    } catch (error) {
      setProblem(t(wrong, { reason: asApiError(error).message }));
      setBusy(false);
    }
  };
  const demo = personas.data ?? [];
  return (
    <>
      {personas.isPending && <span className="skeleton block sign-in-pending" />}
      {demo.length > 0 && (
        <section aria-label={t("signIn.lead")}>
          <h2 className="sign-in-lead">{t("signIn.lead")}</h2>
          <div className="persona-groups">
            {byArea(demo).map(([area, people]) => (
              <section key={area} aria-label={area}>
                <h3>{area}</h3>
                <ul className="personas">
                  {people.map((persona) => (
                    <PersonaButton
                      key={persona.name}
                      persona={persona}
                      disabled={busy}
                      onClick={() => enter(() => api.signInAs(persona.name), "signIn.failed")}
                    />
                  ))}
                </ul>
              </section>
            ))}
          </div>
          <p className="muted small-print">{t("signIn.demo")}</p>
        </section>
      )}
      {issuer.data && (
        <button
          type="button"
          className="button primary issuer"
          disabled={busy}
          onClick={() => {
            const offer = issuer.data;
            if (!offer) return;
            setBusy(true);
            issuerFlow()
              .then(({ startSignIn }) => startSignIn(offer))
              .catch(() => setBusy(false));
          }}
        >
          <LogIn aria-hidden size={17} />
          {t("signIn.issuer", { host: hostOf(issuer.data.issuer) })}
        </button>
      )}
      {issuer.isError && (
        <p className="problem" role="alert">
          {t("signIn.failed", { reason: asApiError(issuer.error).message })}
        </p>
      )}
      <Problem>{problem}</Problem>
      <details className="token" open={!personas.isPending && demo.length === 0 && issuer.data === null}>
        <summary>
          <KeyRound aria-hidden size={16} />
          {t("signIn.token")}
        </summary>
        <TokenForm
          busy={busy}
          onToken={(token) => enter(async () => ({ token, me: await api.me(token) }), "signIn.wrong")}
        />
      </details>
    </>
  );
}

/** Demo people grouped by their work, in the server's order. */
function byArea(people: Persona[]): [string, Persona[]][] {
  const areas = new Map<string, Persona[]>();
  for (const person of people) {
    const area = roleArea(person.roles);
    areas.set(area, [...(areas.get(area) ?? []), person]);
  }
  return [...areas];
}

function hostOf(issuer: string): string {
  try {
    return new URL(issuer).host;
  } catch {
    return issuer;
  }
}

function PersonaButton({
  persona,
  disabled,
  onClick,
}: {
  persona: Persona;
  disabled: boolean;
  onClick: () => void;
}) {
  return (
    <li>
      <button type="button" className="persona" disabled={disabled} onClick={onClick}>
        <Initials name={persona.display_name} />
        <span className="grow persona-words">
          <strong>
            {persona.display_name} <span className="persona-role">{roleNames(persona.roles)}</span>
          </strong>
          <span className="persona-try">{roleTry(persona.roles)}</span>
        </span>
        <ChevronRight aria-hidden size={18} />
      </button>
    </li>
  );
}

function TokenForm({ busy, onToken }: { busy: boolean; onToken: (token: string) => void }) {
  const [token, setToken] = useState("");
  return (
    <form
      className="token-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (token.trim()) onToken(token.trim());
      }}
    >
      <label className="field">
        <span>{t("signIn.tokenLabel")}</span>
        <input
          type="password"
          autoComplete="off"
          spellCheck={false}
          value={token}
          onChange={(event) => setToken(event.target.value)}
        />
      </label>
      <p className="field-hint">{t("signIn.tokenHint")}</p>
      <button type="submit" className="button primary" disabled={busy || token.trim() === ""}>
        {t("signIn.submit")}
      </button>
    </form>
  );
}
