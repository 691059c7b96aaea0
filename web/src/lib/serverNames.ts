/** Names for the server's keys, in the reader's language. */

import type { Role } from "../api/schema";
import type { Assistant, Author } from "../api/types";
import { currentLanguage, LANGUAGES, type Language, serverText, t } from "../i18n";
import { appearanceOf } from "./assistants";
import { humanize } from "./humanize";

export const roleNames = (roles: readonly Role[]): string =>
  roles.map((role) => serverText(`role.${role}`, humanize(role))).join(", ");

const aboutRole = (roles: readonly Role[], what: string): string =>
  roles.map((role) => serverText(`role.${role}.${what}`, "")).findLast((words) => words !== "") ?? "";

/** The field of work of a person with these roles. */
export const roleArea = (roles: readonly Role[]): string => aboutRole(roles, "area");

/** What one can try as a person with these roles. */
export const roleTry = (roles: readonly Role[]): string => aboutRole(roles, "try");

export const toolName = (name: string, title = ""): string =>
  serverText(`tool.${name}`, title || humanize(name));

export const fieldName = (name: string, title?: string): string =>
  serverText(`field.${name}`, title ?? humanize(name));

export const assistantName = (name: string, title: string): string => serverText(`assistant.${name}`, title);

export const aboutAssistant = ({ name, description }: Assistant): string =>
  serverText(`assistant.${name}.about`, description);

/** A greeting that fits the first screen. */
export const greetingOf = ({ name, greeting, description }: Assistant): string =>
  serverText(`assistant.${name}.intro`, serverText(`assistant.${name}.hello`, greeting)) ||
  serverText(`assistant.${name}.about`, description);

/** Suggestions for this person's first message; translated only where the assistant understands the language. */
export const suggestionsOf = ({ name, suggestions }: Assistant): string[] =>
  suggestions.slice(0, appearanceOf(name).replies).map((text) => serverText(`try.${text}`, text));

/** The server's title of an untitled conversation. */
export const UNNAMED = "New Conversation";

export const isUntitled = (title: string): boolean => title === UNNAMED;
/** A title that is a person's question begins as they typed it. */
export const titleShown = (title: string): string =>
  isUntitled(title) ? t("nav.newChat") : title.charAt(0).toLocaleUpperCase() + title.slice(1);

/** The server's name for an author whose profile was deleted. */
const FORMER = "Former member";

export const authorName = ({ name }: Author): string => (name === FORMER ? t("chat.former") : name);

/** The description of a tool. */
export const aboutTool = (name: string, description: string): string =>
  serverText(`about.${name}`, description);

/** The hint of a field. The server's is English; other languages show none if the field's name is translated. */
export const hintOf = (name: string, description: string): string =>
  serverText(
    `hint.${name}`,
    currentLanguage() !== "en" && serverText(`field.${name}`, "") ? "" : description,
  );

/** The name of an enum value. */
export const choiceName = (field: string, value: string): string =>
  field === "language"
    ? (LANGUAGES[value as Language] ?? value)
    : serverText(`choice.${field}.${value}`, humanize(value));
