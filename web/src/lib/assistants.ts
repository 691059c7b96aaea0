/** How each assistant looks and behaves on the page. One that is not named here gets a face of its own too. */

import {
  BookOpenText,
  BriefcaseBusiness,
  Compass,
  DoorOpen,
  type LucideIcon,
  MessageCircle,
  UserRoundSearch,
} from "lucide-react";

interface Face {
  icon: LucideIcon;
  /** One of the tints in tokens.css. */
  tint: "teal" | "plum" | "blue" | "amber" | "rose";
  /** What a click on a quick reply does: `send` it at once, or `fill` the input with it. */
  reply: "send" | "fill";
  /** How many quick replies are shown. */
  replies: number;
}

const FACES: Record<string, Face> = {
  gatepass: { icon: DoorOpen, tint: "teal", reply: "send", replies: 4 },
  gig: { icon: BriefcaseBusiness, tint: "rose", reply: "send", replies: 4 },
  tata: { icon: UserRoundSearch, tint: "plum", reply: "fill", replies: 5 },
  autopilot: { icon: Compass, tint: "amber", reply: "send", replies: 6 },
  docs: { icon: BookOpenText, tint: "blue", reply: "send", replies: 4 },
};

const TINTS = ["teal", "plum", "blue", "amber", "rose"] as const;

export function face(name: string): Face {
  const known = FACES[name];
  if (known) return known;
  const sum = [...name].reduce((total, char) => total + (char.codePointAt(0) ?? 0), 0);
  return { icon: MessageCircle, tint: TINTS[sum % TINTS.length] ?? "teal", reply: "send", replies: 4 };
}

const LONGEST_REPLY = 80;

/** Quick replies as they may be shown: few, short, plain, and none twice. */
export function shownReplies(name: string, replies: readonly string[] | undefined): string[] {
  const plain = (replies ?? []).map((reply) => String(reply).replaceAll(/\s+/g, " ").trim()).filter(Boolean);
  const short = plain.map((reply) => [...reply].slice(0, LONGEST_REPLY).join(""));
  return [...new Set(short)].slice(0, face(name).replies);
}

/** A title for a conversation from its first message. */
export function titleOf(text: string): string {
  const line = text.trim().split("\n")[0] ?? "";
  const letters = [...line];
  return letters.length <= 60 ? line : `${letters.slice(0, 59).join("").trimEnd()}…`;
}
