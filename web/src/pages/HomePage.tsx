/** The start page: one input for everything, what waits, recent conversations, and the assistants. */

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { ArrowRight, Inbox } from "lucide-react";
import { lazy, Suspense, useRef } from "react";
import { Link, Redirect } from "wouter";
import { useSession } from "../api/session";
import type { Assistant } from "../api/types";
import { ChatInput, type ChatInputHandle } from "../chat/ChatInput";
import { cardTitle } from "../chat/cardWords";
import { t } from "../i18n";
import { appearanceOf, byRole } from "../lib/assistants";
import { aboutAssistant, assistantName, roleNames, titleShown } from "../lib/serverNames";
import { dayName } from "../lib/time";
import { homeFor } from "../panels";
import { ConnectionNote } from "../shell/ConnectionNote";
import { Header } from "../shell/Header";
import { assistantsQuery, conversationsQuery, inboxQuery } from "../shell/queries";
import { Problem } from "../ui/Problem";
import { useChoice } from "./useChoice";
import { useFirstMessage } from "./useFirstMessage";

const Tour = lazy(() => import("./Tour"));

/** Items of each list; the inbox and the sidebar have all. */
const FEW = 4;

export function HomePage() {
  const me = useSession()?.me;
  const { data } = useQuery(assistantsQuery);
  const assistants = data && byRole(data, me?.roles ?? []);
  const own = homeFor(me);
  if (own) return <Redirect to={own} replace />;
  return (
    <div className="page">
      <Header title="" />
      <ConnectionNote />
      <div className="home">
        <h2>{t("home.hello", { name: me?.name.split(" ")[0] ?? "" })}</h2>
        {assistants?.length === 0 ? (
          <div className="empty">
            <p className="lead">{t("home.none")}</p>
            <p className="muted">{t("home.noneHint", { roles: roleNames(me?.roles ?? []) || "–" })}</p>
          </div>
        ) : (
          <>
            <Question assistants={assistants} />
            <Sections assistants={assistants} />
          </>
        )}
      </div>
    </div>
  );
}

/** Shown together: one after another, they would push each other down. */
function Sections({ assistants }: { assistants: Assistant[] | undefined }) {
  const inbox = useQuery(inboxQuery);
  const recent = useInfiniteQuery(conversationsQuery);
  const pending = <AssistantCards assistants={undefined} />;
  if (!assistants || inbox.isPending || recent.isPending) return pending;
  return (
    <Suspense fallback={pending}>
      <Tour />
      <Waiting />
      <Recent />
      <AssistantCards assistants={assistants} />
    </Suspense>
  );
}

/** The input; the chosen assistant is shown below it and can be changed. */
function Question({ assistants }: { assistants: Assistant[] | undefined }) {
  const input = useRef<ChatInputHandle>(null);
  const first = useFirstMessage(input);
  const choice = useChoice((assistants ?? []).map(({ name }) => name));
  const send = async (content: string) => {
    const to = await choice.decide(content);
    if (to) await first.send(to, { content });
  };
  return (
    <section className="home-ask" aria-label={t("home.ask")} onFocus={first.preload}>
      <Problem>{first.problem}</Problem>
      <ChatInput
        handle={input}
        place="home"
        label={t("home.ask")}
        placeholder={t("home.ask")}
        onSend={send}
        onText={choice.read}
        disabled={first.busy || choice.deciding || !assistants}
      />
      {assistants?.length !== 1 && (
        <fieldset className="home-choice">
          <legend className="sr-only">{t("home.to")}</legend>
          {assistants?.map(({ name, title }) => {
            const { icon: Icon, tint } = appearanceOf(name);
            const chosen = choice.assistant === name;
            return (
              <button
                key={name}
                type="button"
                className="choice-chip"
                data-tint={tint}
                aria-pressed={chosen}
                onClick={() => {
                  choice.pick(chosen && choice.picked ? null : name);
                  input.current?.focus();
                }}
              >
                <Icon aria-hidden size={15} />
                {assistantName(name, title)}
                {chosen && !choice.picked && <span className="sr-only"> ({t("home.automatic")})</span>}
              </button>
            );
          })}
        </fieldset>
      )}
    </section>
  );
}

function Waiting() {
  const { data } = useQuery(inboxQuery);
  if (!data || data.count === 0) return null;
  const cards = data.cards.map(({ card, turn_id }) => ({
    key: turn_id + card.call_id,
    title: cardTitle(card, null),
    path: "/approvals",
    count: 1,
  }));
  const work = data.work.flatMap(({ items }) =>
    items.map(({ title, link, count }) => ({ key: link + title, title, path: link, count })),
  );
  return (
    <section className="home-list" aria-labelledby="home-waiting">
      <header>
        <h3 id="home-waiting">{t("home.waiting")}</h3>
        <span className="count">{data.count}</span>
        <Link href="/approvals">{t("home.all")}</Link>
      </header>
      <ul>
        {[...cards, ...work].slice(0, FEW).map(({ key, title, path, count }) => (
          <li key={key}>
            <Link href={path}>
              <Inbox aria-hidden size={16} />
              <span className="home-title">{title}</span>
              {count > 1 && <span className="count">{count}</span>}
              <ArrowRight aria-hidden size={16} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Recent() {
  const { data } = useInfiniteQuery(conversationsQuery);
  const recent = (data?.pages[0]?.items ?? []).filter((each) => each.message_count > 0).slice(0, FEW);
  if (recent.length === 0) return null;
  return (
    <section className="home-list" aria-labelledby="home-recent">
      <header>
        <h3 id="home-recent">{t("home.recent")}</h3>
      </header>
      <ul>
        {recent.map(({ id, assistant, title, updated_at }) => {
          const { icon: Icon, tint } = appearanceOf(assistant);
          return (
            <li key={id}>
              <Link href={`/c/${id}`}>
                <span className="dot" data-tint={tint} aria-hidden>
                  <Icon size={15} />
                </span>
                <span className="home-title">{titleShown(title)}</span>
                <time dateTime={updated_at}>{dayName(updated_at)}</time>
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function AssistantCards({ assistants }: { assistants: Assistant[] | undefined }) {
  return (
    <ul className="assistant-cards" aria-label={t("nav.assistants")}>
      {(assistants ?? []).map((assistant) => {
        const { icon: Icon, tint } = appearanceOf(assistant.name);
        return (
          <li key={assistant.name}>
            <Link href={`/a/${assistant.name}`} className="assistant-card" data-tint={tint}>
              <span className="intro-icon" data-tint={tint} aria-hidden>
                <Icon size={24} />
              </span>
              <strong>{assistantName(assistant.name, assistant.title)}</strong>
              <span>{aboutAssistant(assistant)}</span>
              <ArrowRight aria-hidden size={18} className="go" />
            </Link>
          </li>
        );
      })}
      {!assistants && [1, 2, 3].map((each) => <li key={each} className="skeleton block" />)}
    </ul>
  );
}
