/** The start of an empty conversation: greeting, suggestions and the panel's offer. */

import { Suspense } from "react";
import { Link } from "wouter";
import type { Assistant } from "../api/types";
import { t } from "../i18n";
import { appearanceOf } from "../lib/assistants";
import { assistantName, greetingOf, suggestionsOf } from "../lib/serverNames";
import { Markdown } from "../markdown/Markdown";
import { panelOf } from "../panels";
import type { StartConversation } from "./useStartConversation";

interface IntroProps {
  assistant: Assistant | undefined;
  onSelect: (text: string) => void;
  startConversation: StartConversation;
}

export function Intro({ assistant, onSelect, startConversation }: IntroProps) {
  if (!assistant) return null;
  const { icon: Icon, tint } = appearanceOf(assistant.name);
  const Offer = panelOf(assistant.name)?.offer;
  const suggestions = suggestionsOf(assistant);
  return (
    <section className="intro">
      <span className="intro-icon" data-tint={tint} aria-hidden>
        <Icon size={30} />
      </span>
      <h2>{assistantName(assistant.name, assistant.title)}</h2>
      <div className="lead">
        <Markdown text={greetingOf(assistant)} />
      </div>
      {suggestions.length > 0 && (
        <>
          <h3 className="sr-only">{t("home.try")}</h3>
          <ul className="suggestions">
            {suggestions.map((suggestion) => (
              <li key={suggestion}>
                <button type="button" onClick={() => onSelect(suggestion)}>
                  {suggestion}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      {Offer && (
        <Suspense>
          <Offer {...startConversation} />
        </Suspense>
      )}
      <p className="sr-only">
        <Link href="/">{t("error.toList")}</Link>
      </p>
    </section>
  );
}
