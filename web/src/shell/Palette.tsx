/** Ctrl/⌘-K: go anywhere, start anything. */

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Inbox, type LucideIcon, MessageSquare, Moon, SquarePen, Sun } from "lucide-react";
import { useId, useState } from "react";
import { useLocation } from "wouter";
import { api } from "../api/client";
import { useSession } from "../api/session";
import { localized, t } from "../i18n";
import { assistantName, titleShown } from "../lib/serverNames";
import { chooseTheme } from "../lib/theme";
import { menuFor } from "../panels";
import { Dialog } from "../ui/Dialog";
import { assistantsQuery } from "./queries";

interface Command {
  key: string;
  group: string;
  words: string;
  icon: LucideIcon;
  run: () => void;
}

const MOST = 40;

export function Palette({ onClose }: { onClose: () => void }) {
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
  const go = (to: string) => () => navigate(to);
  const actions = t("palette.actions");
  const commands: Command[] = [
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
  const found = commands
    .filter((each) => wanted.every((word) => each.words.toLocaleLowerCase().includes(word)))
    .slice(0, MOST);
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
              <span>{command.words}</span>
            </div>
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="muted pad">{t("palette.none")}</p>}
      <p className="palette-hint">{t("palette.hint")}</p>
    </Dialog>
  );
}
