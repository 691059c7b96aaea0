/** The person's settings: language, theme, notifications, API tokens, and what answers here. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { api, asApiError } from "../api/client";
import type { ApiToken } from "../api/types";
import { chooseLanguage, currentLanguage, LANGUAGES, type Language, locale, t } from "../i18n";
import { setInboxMail, useInboxMailHere } from "../lib/inboxMail";
import { setNotifications, useNotificationState } from "../lib/notifications";
import { chooseTheme, type Theme, useTheme } from "../lib/theme";
import { full } from "../lib/time";
import { ConnectionNote } from "../shell/ConnectionNote";
import { Header } from "../shell/Header";
import { CopyButton } from "../ui/CopyButton";
import { Problem } from "../ui/Problem";

const THEMES: Theme[] = ["system", "light", "dark"];

export default function SettingsPage() {
  return (
    <div className="page">
      <Header title={t("settings.title")} />
      <ConnectionNote />
      <div className="settings">
        <Appearance />
        <Notifications />
        <Tokens />
        <About />
      </div>
    </div>
  );
}

function Appearance() {
  const theme = useTheme();
  return (
    <section aria-labelledby="settings-look">
      <h2 id="settings-look">{t("settings.look")}</h2>
      <label className="field">
        <span>{t("settings.language")}</span>
        <select
          value={currentLanguage()}
          onChange={(event) => chooseLanguage(event.target.value as Language)}
        >
          {(Object.entries(LANGUAGES) as [Language, string][]).map(([code, name]) => (
            <option key={code} value={code} lang={locale(code)}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        <span>{t("settings.theme")}</span>
        <select value={theme} onChange={(event) => chooseTheme(event.target.value as Theme)}>
          {THEMES.map((name) => (
            <option key={name} value={name}>
              {t(`settings.${name}`)}
            </option>
          ))}
        </select>
      </label>
    </section>
  );
}

function Notifications() {
  const state = useNotificationState();
  const hint =
    state === "blocked"
      ? t("settings.notifyBlocked")
      : state === "unsupported"
        ? t("settings.notifyUnsupported")
        : t("settings.notifyHint");
  return (
    <section aria-labelledby="settings-notify">
      <h2 id="settings-notify">{t("settings.notifications")}</h2>
      <label className="switch">
        <input
          type="checkbox"
          checked={state === "on"}
          disabled={state === "blocked" || state === "unsupported"}
          onChange={(event) => void setNotifications(event.target.checked)}
        />
        <span>{t("settings.notify")}</span>
      </label>
      <p className="muted">{hint}</p>
      <InboxMail />
    </section>
  );
}

/** Nothing where the server sends no mail. */
function InboxMail() {
  const client = useQueryClient();
  const { data: mail } = useQuery({ queryKey: ["mail"], queryFn: api.inboxMail });
  const [problem, setProblem] = useState<string | null>(null);
  // Ticked at once, before the server confirms it.
  const [chosen, setChosen] = useState<boolean | null>(null);
  useInboxMailHere(mail?.on ?? false);
  if (!mail?.available) return null;
  const change = async (on: boolean) => {
    setChosen(on);
    try {
      client.setQueryData(["mail"], await setInboxMail(on));
      setProblem(null);
    } catch (error) {
      setChosen(null);
      setProblem(asApiError(error).message);
    }
  };
  return (
    <>
      <label className="switch">
        <input
          type="checkbox"
          checked={chosen ?? mail.on}
          disabled={!mail.address}
          onChange={(event) => void change(event.target.checked)}
        />
        <span>{t("settings.mail")}</span>
      </label>
      <p className="muted">
        {mail.address ? t("settings.mailHint", { address: mail.address }) : t("settings.mailNoAddress")}
      </p>
      <Problem>{problem}</Problem>
    </>
  );
}

const DAYS = [30, 90, 365];

function Tokens() {
  const client = useQueryClient();
  const { data: tokens } = useQuery({ queryKey: ["tokens"], queryFn: api.tokens });
  const [name, setName] = useState("");
  const [days, setDays] = useState(90);
  const [created, setCreated] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: ["tokens"] });
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
      setProblem(null);
    } catch (error) {
      setProblem(asApiError(error).message);
    }
    refresh();
  };
  return (
    <section aria-labelledby="settings-tokens">
      <h2 id="settings-tokens">{t("settings.tokens")}</h2>
      <p className="muted">{t("settings.tokensHint")}</p>
      <form
        className="share-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!name.trim()) return;
          void attempt(async () => {
            setCreated((await api.createToken(name.trim(), days)).token);
            setName("");
          });
        }}
      >
        <label className="field grow">
          <span>{t("settings.tokenName")}</span>
          <input value={name} maxLength={100} onChange={(event) => setName(event.target.value)} />
        </label>
        <label className="field">
          <span>{t("share.for")}</span>
          <select value={days} onChange={(event) => setDays(Number(event.target.value))}>
            {DAYS.map((count) => (
              <option key={count} value={count}>
                {t("share.days", { count })}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" className="button primary" disabled={!name.trim()}>
          {t("settings.tokenCreate")}
        </button>
      </form>
      <Problem>{problem}</Problem>
      {created && <NewToken token={created} />}
      {tokens && tokens.length > 0 && (
        <ul className="share-links" aria-label={t("settings.tokens")}>
          {tokens.map((token) => (
            <TokenRow
              key={token.id}
              token={token}
              onRevoke={() =>
                void attempt(async () => {
                  await api.revokeToken(token.id);
                })
              }
            />
          ))}
        </ul>
      )}
    </section>
  );
}

function NewToken({ token }: { token: string }) {
  return (
    <div className="notice calm" role="status">
      <p>
        {t("settings.tokenOnce")} <code className="new-token">{token}</code>
      </p>
      <CopyButton text={token} words={t("chat.copy")} />
    </div>
  );
}

function TokenRow({ token, onRevoke }: { token: ApiToken; onRevoke: () => void }) {
  return (
    <li>
      <span className="grow">
        <strong>{token.name}</strong>
        <small>{t("share.until", { date: full(token.expires_at) })}</small>
      </span>
      <button
        type="button"
        className="icon-button small"
        aria-label={t("share.revoke", { name: token.name })}
        title={t("share.revoke", { name: token.name })}
        onClick={onRevoke}
      >
        <Trash2 aria-hidden size={15} />
      </button>
    </li>
  );
}

function About() {
  const { data } = useQuery({ queryKey: ["about"], queryFn: api.about, staleTime: 300_000 });
  if (!data) return null;
  const model = data.offline
    ? t("settings.modelOffline")
    : t(data.fallback ? "settings.modelFallback" : "settings.model", {
        name: data.model ?? t("settings.modelOwn"),
      });
  return (
    <section aria-labelledby="settings-about">
      <h2 id="settings-about">{t("settings.about")}</h2>
      <p>{model}</p>
      <p className="muted">{t("settings.version", { version: data.version })}</p>
    </section>
  );
}
