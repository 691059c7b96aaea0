/** What the server found for the sidebar's search: messages, documents and the objects of assistants. */

import { useMemo } from "react";
import { Link } from "wouter";
import type { SearchResults } from "../api/types";
import { t } from "../i18n";
import { appearanceOf } from "../lib/assistants";
import { assistantName, titleShown } from "../lib/serverNames";
import { Excerpt } from "./Excerpt";

interface Props {
  query: string;
  results: SearchResults;
  /** Conversations that the list shows already. */
  shown: ReadonlySet<string>;
}

export function SearchMatches({ query, results, shown }: Props) {
  const conversations = useMemo(
    () => results.conversations.filter((found) => found.kind !== "title" || !shown.has(found.id)),
    [results, shown],
  );
  return (
    <>
      {conversations.length > 0 && (
        <section aria-label={t("search.inside")}>
          <h2>{t("search.inside")}</h2>
          <ul>
            {conversations.map((found) => (
              <Match
                key={found.id}
                href={addressOf(found)}
                tint={appearanceOf(found.assistant).tint}
                title={titleShown(found.title)}
                detail={found.excerpt}
                query={query}
              />
            ))}
          </ul>
        </section>
      )}
      {results.objects.map(({ assistant, title, items }) => (
        <section key={assistant} aria-label={assistantName(assistant, title)}>
          <h2>{assistantName(assistant, title)}</h2>
          <ul>
            {items.map((object) => (
              <Match
                key={object.link}
                href={object.link}
                tint={appearanceOf(assistant).tint}
                title={object.title}
                detail={object.detail}
                query={query}
              />
            ))}
          </ul>
        </section>
      ))}
      {results.unavailable.map((title) => (
        <p key={title} className="muted pad">
          {t("search.unavailable", { assistant: title })}
        </p>
      ))}
    </>
  );
}

/** The place of a match on the page: a message is scrolled to. */
export const addressOf = (found: SearchResults["conversations"][number]): string =>
  found.kind === "message" && found.object_id ? `/c/${found.id}?m=${found.object_id}` : `/c/${found.id}`;

function Match(props: { href: string; tint: string; title: string; detail: string; query: string }) {
  const words = (
    <>
      <span className="pip" data-tint={props.tint} aria-hidden />
      <span className="match-words">
        <span className="conversation-title">
          <Excerpt text={props.title} query={props.query} />
        </span>
        {props.detail && (
          <span className="match-detail">
            <Excerpt text={props.detail} query={props.query} />
          </span>
        )}
      </span>
    </>
  );
  return (
    <li className="conversation match">
      {props.href.startsWith("/") ? (
        <Link href={props.href}>{words}</Link>
      ) : (
        <a href={props.href} target="_blank" rel="noreferrer noopener">
          {words}
        </a>
      )}
    </li>
  );
}
