/** The manifest of a panel: everything that an assistant, or the platform, adds to the page beside plain
 * conversations. Components load on first use; the rest is known from the start. */

import type { LucideIcon } from "lucide-react";
import type { ComponentType, LazyExoticComponent } from "react";
import type { Conversation, Me } from "../api/types";
import type { Chat } from "../chat/chat";
import type { ChatState } from "../chat/chatState";
import type { Language } from "../i18n";
import type { StartConversation } from "../pages/useStartConversation";

type Lazy<Props = object> = LazyExoticComponent<ComponentType<Props>>;

export interface Panel {
  /** The assistant it belongs to; people who may not use that assistant do not see its pages. `null`: the platform. */
  assistant: string | null;
  appearance?: Appearance;
  pages?: PanelPage[];
  /** Beside the conversation. */
  aside?: Lazy<AsideProps>;
  /** Above the conversation. */
  banner?: Lazy<{ conversation: Conversation }>;
  /** Below the suggestions of an empty conversation. */
  offer?: Lazy<StartConversation>;
}

export interface Appearance {
  icon: LucideIcon;
  /** One of the tints in tokens.css. */
  tint: "teal" | "plum" | "blue" | "amber" | "rose";
  /** How many quick replies are shown. */
  replies: number;
  /** Roles whose daily work it is: they see it first. */
  first?: Me["roles"];
}

export interface PanelPage {
  /** A wouter pattern. */
  route: string;
  page: Lazy;
  /** The entry in the sidebar and the palette; a page without one is reached by links. */
  menu?: MenuEntry;
  /** Roles for which it is the start page, unless they have other roles. */
  homeOf?: Me["roles"];
}

export interface MenuEntry {
  path: string;
  title: Record<Language, string>;
  icon: LucideIcon;
  /** Roles that see the entry; empty: everyone. */
  roles: Me["roles"];
}

export interface AsideProps {
  conversation: Conversation;
  chat: Chat;
  state: ChatState;
  /** Puts text into the input. */
  fill: (text: string) => void;
}
