/** The types of `/api/v1` under the names that the page uses, derived from the generated schema. */

import type * as api from "./schema";

export type Id = string;
export type Artifact = api.Artifact;
export type ArtifactEntry = api.ArtifactEntry;
/** A person's change: the whole document as Markdown, or single fields. */
export type ArtifactEdit = { text: string } | { fields: { [name: string]: Json } };
export type LineChange = api.LineChange;
export type CollectionEntry = api.CollectionEntry;
export type DocumentEntry = api.DocumentEntry;
export type SourceText = api.SourceText;
export type IngestedDocument = api.TakenIn;
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export type Me = api.Me;
export type IssuerOffer = api.IssuerOffer;
export type Persona = api.PersonaEntry;
export type Assistant = api.AssistantEntry;
export type AssistantChoice = api.AssistantChoice;
export type Conversation = api.ConversationResponse;
export type Share = api.Share;
export type Audience = api.Audience;
export type ApiToken = api.ApiToken;
export type SearchResults = api.SearchResults;
export type Source = api.Source;
export type FileRef = api.FileRef;
export type Author = api.Author;
export type Attachment = api.Attachment;
export type Invitation = api.Invitation;
export type InvitationCreated = api.InvitationCreated;
export type Company = api.Company;
export type Member = api.Member;
export type Turn = api.TurnResponse;
export type TurnState = api.TurnState;
export type FinishedCall = api.Finished;
export type ObjectCard = api.ObjectCard;
export type CardField = api.CardField;
export type ApprovalCard = Omit<api.ApprovalCard, "arguments"> & { arguments: Json };
export type PendingApproval = Omit<api.PendingApproval, "card"> & { card: ApprovalCard };
export type DecidedApproval = Omit<api.DecidedApproval, "card"> & { card: ApprovalCard };
export type AssistantWork = api.AssistantWork;
export type Inbox = Omit<api.Inbox, "cards" | "decided"> & {
  cards: PendingApproval[];
  decided: DecidedApproval[];
};
/** All outcomes merged into one type with optional fields. */
export type Outcome = { outcome: api.Outcome["outcome"]; retry_after_seconds?: number | null };
export type TurnEnd = Omit<api.Ended, "outcome"> & { outcome: Outcome };

export interface Page<T> {
  items: T[];
  cursor: string | null;
  has_more: boolean;
}

export interface CallSummary {
  id: string;
  name: string;
  ok: boolean;
  summary: string;
}

/** Metadata of a message; untyped in the schema. */
export interface MessageMetadata {
  turn_id?: Id;
  outcome?: string;
  latency_ms?: number;
  tokens_used?: number;
  tool_calls?: CallSummary[];
  sources?: Source[];
  quick_replies?: string[];
  [key: string]: unknown;
}

export type Message = Omit<api.MessageResponse, "metadata"> & { metadata: MessageMetadata };

/** Narrower types for event data that the schema leaves open. */
interface Refined {
  "tool.started": { arguments: Json };
  "approval.requested": { card: ApprovalCard };
  "turn.completed": TurnEnd;
  "turn.failed": TurnEnd;
  "turn.cancelled": TurnEnd;
  "turn.interrupted": TurnEnd;
}

/** Data of each turn event, by event name. */
export type TurnEvents = {
  [Event in api.TurnEvent as Event["event"]]: Event["event"] extends keyof Refined
    ? Omit<Event["data"], keyof Refined[Event["event"]]> & Refined[Event["event"]]
    : Event["data"];
};

export type TurnEvent = {
  [Name in keyof TurnEvents]: { position: number; name: Name; data: TurnEvents[Name] };
}[keyof TurnEvents];

export interface ToolSpec {
  title: string;
  /** True if the conversation's phase allows it. */
  usable: boolean;
  type: "function";
  function: { name: string; description: string; parameters: Schema };
  /** Parameters that take a long text or a file. */
  handles: Record<string, string>;
}

/** The part of JSON Schema that tools use. */
export interface Schema {
  type?: string | string[];
  title?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  enum?: Json[];
  const?: Json;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  $ref?: string;
  $defs?: Record<string, Schema>;
  default?: Json;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  [key: string]: unknown;
}
