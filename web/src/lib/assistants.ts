/** How assistants look and behave on the page. */

import { MessageCircle } from "lucide-react";
import { panelOf } from "../panels";
import type { Appearance } from "../panels/panel";

const TINTS = ["teal", "plum", "blue", "amber", "rose"] as const;

/** From its panel; an assistant without one gets a tint by its name. */
export function appearanceOf(name: string): Appearance {
  const known = panelOf(name)?.appearance;
  if (known) return known;
  const sum = [...name].reduce((total, char) => total + (char.codePointAt(0) ?? 0), 0);
  return { icon: MessageCircle, tint: TINTS[sum % TINTS.length] ?? "teal", reply: "send", replies: 4 };
}

const LONGEST_REPLY = 80;

/** Quick replies limited in number and length, as plain text without duplicates. */
export function displayedReplies(name: string, replies: readonly string[] | undefined): string[] {
  const plain = (replies ?? []).map((reply) => String(reply).replaceAll(/\s+/g, " ").trim()).filter(Boolean);
  const short = plain.map((reply) => [...reply].slice(0, LONGEST_REPLY).join(""));
  return [...new Set(short)].slice(0, appearanceOf(name).replies);
}

/** A title for a conversation from its first message. */
export function titleOf(text: string): string {
  const line = text.trim().split("\n")[0] ?? "";
  const letters = [...line];
  return letters.length <= 60 ? line : `${letters.slice(0, 59).join("").trimEnd()}…`;
}
