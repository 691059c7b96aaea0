/** Ctrl/⌘-K: go anywhere, start anything. */

import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  FileText,
  Inbox,
  Keyboard,
  Languages,
  LogOut,
  MessageSquare,
  Moon,
  Settings,
  SquarePen,
  Sun,
} from "lucide-react";
import { useId, useState } from "react";
import { useLocation } from "wouter";
import { api } from "../api/client";
import { signOut, useSession } from "../api/session";
import { chooseLanguage, currentLanguage, LANGUAGES, type Language, localized, t } from "../i18n";
import { appearanceOf } from "../lib/assistants";
import { assistantName, titleShown } from "../lib/serverNames";
import { chooseTheme } from "../lib/theme";
import { menuFor } from "../panels";
import { Dialog } from "../ui/Dialog";
import { type Command, useOffered } from "./commands";
import { Excerpt } from "./Excerpt";
import { assistantsQuery } from "./queries";
import { addressOf } from "./SearchMatches";
import { useSearch } from "./useSearch";

const MOST = 40;

interface Props {
  onClose: () => void;
  onShortcuts: () => void;
}

export default function Palette({ onClose, onShortcuts }: Props) {
  const [query, setQuery] = useState("");
  const [marked, setMarked] = useState(0);
  const [, navigate] = useLocation();
  const id = useId();
  const { data: assistants } = useQuery(assistantsQuery);
  const list = useInfiniteQuery({
    queryKey: ["conversations"],
    queryFn: ({ pageParam }) => api.conversations({ cursor: pageParam, limit: MOST }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.cursor,
  });
  const me = useSession()?.me;
  const client = useQueryClient();
  const offered = useOffered();
  const search = useSearch(query);
  const go = (to: string) => () => navigate(to);
  const actions = t("palette.actions");
  const commands: Command[] = [
    ...offered,
    ...(assistants ?? []).map((each) => ({
      key: `a-${each.name}`,
      group: actions,
      words: `${t("nav.newChat")}: ${assistantName(each.name, each.title)}`,
      icon: SquarePen,
      run: go(`/a/${each.name}`),
    })),
    ...menuFor(me, assistants).map((entry) => ({
      key: entry.path,
      group: actions,
      words: localized(entry.title),
      icon: entry.icon,
      run: go(entry.path),
    })),
    { key: "approvals", group: actions, words: t("approval.inbox"), icon: Inbox, run: go("/approvals") },
    {
      key: "light",
      group: actions,
      words: `${t("settings.theme")}: ${t("settings.light")}`,
      icon: Sun,
      run: () => chooseTheme("light"),
    },
    {
      key: "dark",
      group: actions,
      words: `${t("settings.theme")}: ${t("settings.dark")}`,
      icon: Moon,
      run: () => chooseTheme("dark"),
    },
    ...(Object.entries(LANGUAGES) as [Language, string][])
      .filter(([code]) => code !== currentLanguage())
      .map(([code, name]) => ({
        key: `language-${code}`,
        group: actions,
        words: `${t("settings.language")}: ${name}`,
        icon: Languages,
        run: () => void chooseLanguage(code),
      })),
    { key: "settings", group: actions, words: t("settings.title"), icon: Settings, run: go("/settings") },
    { key: "keys", group: actions, words: t("keys.title"), icon: Keyboard, run: onShortcuts },
    {
      key: "sign-out",
      group: actions,
      words: t("signIn.out"),
      icon: LogOut,
      run: () => {
        signOut();
        client.clear();
      },
    },
    ...(list.data?.pages ?? []).flatMap((page) =>
      page.items.map((each) => ({
        key: each.id,
        group: t("palette.conversations"),
        words: titleShown(each.title),
        icon: MessageSquare,
        run: go(`/c/${each.id}`),
      })),
    ),
  ];
  const wanted = query.trim().toLocaleLowerCase().split(/\s+/);
  const local = commands
    .filter((each) => wanted.every((word) => each.words.toLocaleLowerCase().includes(word)))
    .slice(0, MOST);
  const listed = new Set(local.map((each) => each.key));
  const texts = (search.results?.conversations ?? [])
    .filter((each) => each.kind !== "title" || !listed.has(each.id))
    .map((each) => ({
      key: `text-${each.id}`,
      group: t("search.inside"),
      words: titleShown(each.title),
      icon: each.kind === "document" ? FileText : MessageSquare,
      detail: each.excerpt,
      run: go(addressOf(each)),
    }));
  const objects = (search.results?.objects ?? []).flatMap(({ assistant, title, items }) =>
    items.map((each) => ({
      key: `object-${each.link}`,
      group: assistantName(assistant, title),
      words: each.title,
      icon: appearanceOf(assistant).icon,
      detail: each.detail,
      run: () => (each.link.startsWith("/") ? navigate(each.link) : open(each.link, "_blank", "noopener")),
    })),
  );
  const found: Command[] = [...local, ...objects, ...texts];
  const at = Math.min(marked, found.length - 1);

  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.run();
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move) {
      event.preventDefault();
      setMarked((at + move + found.length) % Math.max(1, found.length));
    } else if (event.key === "Enter") {
      event.preventDefault();
      run(found[at]);
    }
  };
  return (
    <Dialog title={t("palette.title")} onClose={onClose} className="palette">
      <input
        className="palette-input"
        role="combobox"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length ? `${id}-${at}` : undefined}
        aria-label={t("palette.placeholder")}
        placeholder={t("palette.placeholder")}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setMarked(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} role="listbox" aria-label={t("palette.title")} className="palette-list">
        {found.map((command, index) => (
          <div key={command.key} role="presentation">
            {command.group !== found[index - 1]?.group && (
              <p className="menu-label" role="presentation">
                {command.group}
              </p>
            )}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keys */}
            <div
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              className="palette-item"
              ref={index === at ? (element) => element?.scrollIntoView({ block: "nearest" }) : null}
              onClick={() => run(command)}
            >
              <command.icon aria-hidden size={16} />
              <span className="palette-words">
                <Excerpt text={command.words} query={query} />
                {command.detail && (
                  <small>
                    <Excerpt text={command.detail} query={query} />
                  </small>
                )}
              </span>
            </div>
          </div>
        ))}
      </div>
      <p className="muted pad" role="status" hidden={found.length > 0 && !search.pending}>
        {search.pending ? t("search.pending") : found.length === 0 && t("palette.none")}
      </p>
      <p className="palette-hint">{t("palette.hint")}</p>
    </Dialog>
  );
}
