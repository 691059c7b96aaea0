/** How assistants look and behave on the page. */

import { MessageCircle } from "lucide-react";
import type { Assistant, Me } from "../api/types";
import { panelOf } from "../panels";
import type { Appearance } from "../panels/panel";

const TINTS = ["teal", "plum", "blue", "amber", "rose"] as const;

/** From its panel; an assistant without one gets a tint by its name. */
export function appearanceOf(name: string): Appearance {
  const known = panelOf(name)?.appearance;
  if (known) return known;
  const sum = [...name].reduce((total, char) => total + (char.codePointAt(0) ?? 0), 0);
  return { icon: MessageCircle, tint: TINTS[sum % TINTS.length] ?? "teal", replies: 4 };
}

const LONGEST_REPLY = 80;

/** Quick replies limited in number and length, as plain text without duplicates. */
export function displayedReplies(name: string, replies: readonly string[] | undefined): string[] {
  const plain = (replies ?? []).map((reply) => String(reply).replaceAll(/\s+/g, " ").trim()).filter(Boolean);
  const short = plain.map((reply) => [...reply].slice(0, LONGEST_REPLY).join(""));
  return [...new Set(short)].slice(0, appearanceOf(name).replies);
}

/** The assistants of a person's daily work first. */
export function byRole(assistants: readonly Assistant[], roles: Me["roles"]): Assistant[] {
  const isFirst = ({ name }: Assistant) =>
    (appearanceOf(name).first ?? []).some((role) => roles.includes(role));
  return [...assistants].sort((a, b) => Number(isFirst(b)) - Number(isFirst(a)));
}
