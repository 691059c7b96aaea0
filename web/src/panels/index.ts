/** What assistants bring to the page beside their conversations: places of their own, and what stands beside a
 * chat. Everything here is loaded when it is first looked at. */

import {
  Activity,
  BriefcaseBusiness,
  Building2,
  ClipboardList,
  LibraryBig,
  type LucideIcon,
  ScanLine,
} from "lucide-react";
import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import type { Conversation, Me } from "../api/types";
import type { Chat, ChatState } from "../chat/chat";
import type { Key } from "../i18n";
import type { Beginning } from "../pages/beginning";

/** A page of its own. */
export interface Place {
  path: string;
  /** Where its address goes on. */
  route?: string;
  title: Key;
  icon: LucideIcon;
  /** Who finds it in the menu; everyone where nobody is named. */
  roles: Me["roles"];
  /** Of which assistant it is; people who may not talk to it do not find it. None: of the platform. */
  assistant: string | null;
  page: LazyExoticComponent<ComponentType>;
}

export interface AsideProps {
  conversation: Conversation;
  chat: Chat;
  state: ChatState;
  /** Puts words into the input. */
  fill: (text: string) => void;
}

const GATE_PEOPLE: Me["roles"] = ["HR_User", "Admin_User", "Gate_User"];

export const PLACES: Place[] = [
  {
    path: "/gigs",
    route: "/gigs/:id?",
    title: "place.gigs",
    icon: BriefcaseBusiness,
    roles: ["Recruiter"],
    assistant: "gig",
    page: lazy(() => import("./gig/GigsPage")),
  },
  {
    path: "/documents",
    title: "place.documents",
    icon: LibraryBig,
    roles: [],
    assistant: "docs",
    page: lazy(() => import("./docs/DocumentsPage")),
  },
  {
    path: "/gatepass",
    title: "place.gatepass",
    icon: ClipboardList,
    roles: GATE_PEOPLE,
    assistant: "gatepass",
    page: lazy(() => import("./gatepass/BoardPage")),
  },
  {
    path: "/gate",
    title: "place.gate",
    icon: ScanLine,
    roles: ["Gate_User"],
    assistant: "gatepass",
    page: lazy(() => import("./gatepass/GatePage")),
  },
  {
    path: "/company",
    title: "place.company",
    icon: Building2,
    roles: [],
    assistant: null,
    page: lazy(() => import("./company/CompanyPage")),
  },
  {
    path: "/operator",
    title: "place.operator",
    icon: Activity,
    roles: ["Operator"],
    assistant: null,
    page: lazy(() => import("./operator/OperatorPage")),
  },
];

/** What this person finds, who may talk to these assistants. */
export const placesFor = (me: Me | undefined, assistants: { name: string }[] | undefined): Place[] =>
  PLACES.filter(({ assistant, roles }) => {
    const known = assistant === null || assistants?.some(({ name }) => name === assistant);
    return known && (roles.length === 0 || roles.some((role) => me?.roles.includes(role)));
  });

/** What stands beside the chat, by assistant. */
export const ASIDES: Record<string, LazyExoticComponent<ComponentType<AsideProps>>> = {
  tata: lazy(() => import("./tata/DocumentsAside")),
  autopilot: lazy(() => import("./autopilot/DecisionAside")),
};

/** What stands above the chat, by assistant. */
export const BANNERS: Record<string, LazyExoticComponent<ComponentType<{ conversation: Conversation }>>> = {
  docs: lazy(() => import("./docs/SelectionBanner")),
  gig: lazy(() => import("./gig/GigBanner")),
  autopilot: lazy(() => import("./autopilot/PhaseBar")),
};

/** What an assistant offers before the first message, by assistant. */
export const OFFERS: Record<string, LazyExoticComponent<ComponentType<Beginning>>> = {
  docs: lazy(() => import("./docs/SelectionOffer")),
  gig: lazy(() => import("./gig/GigOffer")),
  autopilot: lazy(() => import("./autopilot/CompanyOffer")),
};
