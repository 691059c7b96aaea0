/** Assistants, conversations and the account. */

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Archive, ArrowLeft, Inbox, Search, SquarePen, X } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Link, useLocation, useRoute } from "wouter";
import { useSession } from "../api/session";
import type { Conversation } from "../api/types";
import { localized, t } from "../i18n";
import { appearanceOf, byRole } from "../lib/assistants";
import { BRAND_NAME } from "../lib/brand";
import { aboutAssistant, assistantName, titleShown } from "../lib/serverNames";
import { daysAgo } from "../lib/time";
import { menuFor } from "../panels";
import { Brand } from "../ui/Brand";
import { AccountMenu } from "./AccountMenu";
import { ConversationLink } from "./ConversationLink";
import { useHidden } from "./conversationChanges";
import { Invitations } from "./Invitations";
import { archivedQuery, assistantsQuery, conversationsQuery, inboxQuery, pinnedQuery } from "./queries";
import { useSidebar } from "./sidebar";
import { useChanges } from "./useChanges";
import { useInboxNotifications } from "./useInboxNotifications";
import { useSearch } from "./useSearch";

const SearchMatches = lazy(async () => ({ default: (await import("./SearchMatches")).SearchMatches }));

export function Sidebar({ onPalette }: { onPalette: () => void }) {
  const { toggle } = useSidebar();
  useChanges();
  useInboxNotifications();
  return (
    <nav id="sidebar" className="sidebar" aria-label={t("nav.label")}>
      <div className="sidebar-head">
        <Link href="/" className="brand" aria-label={BRAND_NAME}>
          <Brand />
          {BRAND_NAME}
        </Link>
        <button
          type="button"
          className="icon-button"
          aria-label={t("palette.open")}
          title={`${t("palette.open")} (Ctrl+K)`}
          onClick={onPalette}
        >
          <Search aria-hidden size={18} />
        </button>
        <button type="button" className="icon-button phone-only" aria-label={t("nav.close")} onClick={toggle}>
          <X aria-hidden size={19} />
        </button>
      </div>
      <Destinations />
      <Invitations />
      <Conversations />
      <AccountMenu />
    </nav>
  );
}

/** The menu. Its entries must not move under the pointer, so neither the menu nor anything below it is
 * shown until the whole menu is known. */
function Destinations() {
  const [location] = useLocation();
  const { data: assistants, isPending } = useQuery(assistantsQuery);
  const { data: inbox } = useQuery(inboxQuery);
  const waiting = inbox?.count ?? 0;
  const me = useSession()?.me;
  if (isPending) return <ListSkeleton />;
  const entries = menuFor(me, assistants);
  return (
    <ul className="assistants" aria-label={t("nav.assistants")}>
      <li>
        <Link
          href="/approvals"
          className="assistant-link"
          aria-current={location === "/approvals" ? "page" : undefined}
        >
          <span className="dot plain" aria-hidden>
            <Inbox size={15} />
          </span>
          <span className="grow">{t("approval.inbox")}</span>
          {waiting > 0 && <Badge count={waiting} />}
        </Link>
      </li>
      {byRole(assistants ?? [], me?.roles ?? []).map((assistant) => {
        const { icon: Icon, tint } = appearanceOf(assistant.name);
        const href = `/a/${assistant.name}`;
        return (
          <li key={assistant.name}>
            <Link
              href={href}
              className="assistant-link"
              aria-current={location === href ? "page" : undefined}
              title={aboutAssistant(assistant)}
            >
              <span className="dot" data-tint={tint} aria-hidden>
                <Icon size={15} />
              </span>
              <span className="grow">{assistantName(assistant.name, assistant.title)}</span>
              <SquarePen aria-hidden size={15} className="on-hover" />
              <span className="sr-only">: {t("nav.newChat")}</span>
            </Link>
          </li>
        );
      })}
      {entries.map(({ path, title, icon: Icon }) => (
        <li key={path}>
          <Link
            href={path}
            className="assistant-link"
            aria-current={location === path || location.startsWith(`${path}/`) ? "page" : undefined}
          >
            <span className="dot plain" aria-hidden>
              <Icon size={15} />
            </span>
            <span className="grow">{localized(title)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Badge({ count }: { count: number }) {
  return (
    <span className="count">
      <span aria-hidden>{count}</span>
      <span className="sr-only">{t("approval.waiting", { count })}</span>
    </span>
  );
}

function Conversations() {
  const [query, setQuery] = useState("");
  const [archive, setArchive] = useState(false);
  const [, params] = useRoute("/c/:id");
  const hidden = useHidden();
  const pins = useQuery(pinnedQuery);
  const list = useInfiniteQuery(archive ? archivedQuery : conversationsQuery);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const search = useSearch(query);

  const menu = useQuery(assistantsQuery);
  const pending = list.isPending || menu.isPending;
  const wanted = query.trim().toLocaleLowerCase();
  const pinned = archive ? [] : (pins.data?.items ?? []).filter((each) => !hidden.has(each.id));
  const isPinned = new Set(pinned.map((each) => each.id));
  const all = pending
    ? []
    : [
        ...pinned,
        ...(list.data?.pages ?? []).flatMap((page) => page.items.filter((each) => !isPinned.has(each.id))),
      ].filter((each) => !hidden.has(each.id));
  const found = all.filter((each) => titleShown(each.title).toLocaleLowerCase().includes(wanted));
  const matches = wanted ? search.results : undefined;
  const nothing =
    found.length === 0 && !matches?.conversations.length && !matches?.objects.length && !search.pending;
  return (
    <div className="conversations">
      <label className="search">
        <Search aria-hidden size={15} />
        <span className="sr-only">{t("nav.search")}</span>
        <input
          type="search"
          value={query}
          placeholder={t("nav.search")}
          onChange={(event) => setQuery(event.target.value)}
        />
      </label>
      <div className="conversation-list">
        {pending && <ListSkeleton />}
        {!pending && list.data && all.length === 0 && (
          <p className="muted pad">{t(archive ? "nav.archiveEmpty" : "nav.empty")}</p>
        )}
        {!pending && wanted !== "" && nothing && <p className="muted pad">{t("nav.noMatch", { query })}</p>}
        {groups(found, isPinned).map(([name, members]) => (
          <section key={name} aria-label={name}>
            <h2>{name}</h2>
            <ul>
              {members.map((each) => (
                <ConversationLink
                  key={each.id}
                  conversation={each}
                  current={each.id === params?.id}
                  placement={archive ? "archived" : isPinned.has(each.id) ? "pinned" : "current"}
                />
              ))}
            </ul>
          </section>
        ))}
        {matches && (
          <Suspense>
            <SearchMatches query={query} results={matches} shown={new Set(found.map((each) => each.id))} />
          </Suspense>
        )}
        {wanted !== "" && search.pending && (
          <p className="muted pad" role="status">
            {t("search.pending")}
          </p>
        )}
        {!pending && hasNextPage && !query && (
          <button
            type="button"
            className="button small more"
            disabled={isFetchingNextPage}
            onClick={() => fetchNextPage()}
          >
            {t("nav.more")}
          </button>
        )}
        {!pending && wanted === "" && (
          <button type="button" className="archive-link" onClick={() => setArchive(!archive)}>
            {archive ? <ArrowLeft aria-hidden size={15} /> : <Archive aria-hidden size={15} />}
            {t(archive ? "nav.leaveArchive" : "nav.archived")}
          </button>
        )}
      </div>
    </div>
  );
}

function ListSkeleton() {
  return (
    <div className="pad" aria-hidden>
      {[70, 85, 60, 78].map((width) => (
        <span key={width} className="skeleton line" />
      ))}
    </div>
  );
}

function groups(list: Conversation[], pinned: ReadonlySet<string>): [string, Conversation[]][] {
  const named = new Map<string, Conversation[]>();
  for (const each of list) {
    const days = daysAgo(each.updated_at);
    const name = pinned.has(each.id)
      ? t("nav.pinned")
      : days <= 0
        ? t("nav.today")
        : days === 1
          ? t("nav.yesterday")
          : days <= 7
            ? t("nav.week")
            : t("nav.older");
    named.set(name, [...(named.get(name) ?? []), each]);
  }
  return [...named];
}
