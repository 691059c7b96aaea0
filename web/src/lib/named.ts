/** What the server names by a key, in the reader's language. */

import type { Role } from "../api/schema";
import type { Assistant } from "../api/types";
import { words } from "../chat/fold";
import { currentLanguage, given, LANGUAGES, type Language, t } from "../i18n";
import { face } from "./assistants";

export const roleNames = (roles: readonly Role[]): string =>
  roles.map((role) => given(`role.${role}`, words(role))).join(", ");

export const toolName = (name: string, title = ""): string => given(`tool.${name}`, title || words(name));

export const fieldName = (name: string, title?: string): string =>
  given(`field.${name}`, title ?? words(name));

export const assistantName = (name: string, title: string): string => given(`assistant.${name}`, title);

export const aboutAssistant = ({ name, description }: Assistant): string =>
  given(`assistant.${name}.about`, description);

export const greetingOf = (assistant: Assistant): string =>
  given(`assistant.${assistant.name}.hello`, assistant.greeting) || aboutAssistant(assistant);

/** What one could say first; in other words only where they are understood as well. */
export function suggestionsOf({ name, suggestions }: Assistant): string[] {
  const own = given(`assistant.${name}.try`, "");
  return (own ? own.split("\n") : suggestions).slice(0, face(name).replies);
}

/** What the server calls a conversation that nobody has named. */
export const UNNAMED = "New Conversation";

export const titleShown = (title: string): string => (title === UNNAMED ? t("nav.newChat") : title);

/** What a form is for. */
export const aboutTool = (name: string, description: string): string => given(`about.${name}`, description);

/** What a field wants: the server says it in English; elsewhere a name that is known says enough. */
export const hintOf = (name: string, description: string): string =>
  given(`hint.${name}`, currentLanguage() !== "en" && given(`field.${name}`, "") ? "" : description);

/** One of the values that a field offers. */
export const choiceName = (field: string, value: string): string =>
  field === "language"
    ? (LANGUAGES[value as Language] ?? value)
    : given(`choice.${field}.${value}`, words(value));
