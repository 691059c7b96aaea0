/** Reduces the events of a turn to its view. Pure: the live view, the view after a reload and after a
 * crash all come from here. */

import type { ApprovalCard, FileRef, FinishedCall, Id, Json, Source, TurnEnd, TurnEvent } from "../api/types";
import { humanize } from "../lib/humanize";

export interface Step {
  callId: string;
  name: string;
  title: string;
  arguments: Json;
  progress: string | null;
  draft: DraftText | null;
  finished: FinishedCall | null;
  approval: Approval | null;
}

/** The document that the model is writing for a running call. */
export interface DraftText {
  /** A higher attempt replaces the text of earlier ones. */
  attempt: number;
  text: string;
}

export interface Approval {
  card: ApprovalCard;
  decision: "approved" | "rejected" | "expired" | null;
  by: string | null;
  reason: string | null;
  /** The state in which a decline left the card's object. */
  state: string | null;
}

export interface SavedArtifact {
  id: Id;
  kind: string;
  key: string;
  version: number;
  title: string;
}

export type TurnPhase = "running" | "waiting" | "completed" | "failed" | "cancelled" | "interrupted";

export interface TurnView {
  id: Id;
  userMessage: Id | null;
  text: string;
  steps: Step[];
  sources: Source[];
  artifacts: SavedArtifact[];
  phase: TurnPhase;
  /** A worker took the turn over and has not written anything yet. */
  resumed: boolean;
  ended: TurnEnd | null;
}

export const isOver = (phase: TurnPhase) => phase !== "running" && phase !== "waiting";

/** Files that the steps of a turn produced. */
export const filesOf = (view: TurnView): FileRef[] =>
  view.steps.flatMap((step) => step.finished?.files ?? []);

/** The step of a running turn that writes a document. */
export const draftingStep = (view: TurnView): Step | undefined =>
  isOver(view.phase) ? undefined : view.steps.findLast((step) => step.draft !== null);

export class TurnReducer {
  /** Position of the last applied event; sent as Last-Event-ID on reconnect. */
  position = 0;
  private log: TurnEvent[] = [];
  private view: TurnView;

  constructor(id: Id) {
    this.view = empty(id);
  }

  /** Applies an event. Repeated and unknown events have no effect. */
  apply(event: TurnEvent): void {
    if (event.name === "draft.delta") {
      // Display only: it has no position of its own and is not in the log.
      this.view = step(this.view, event);
      return;
    }
    if (event.position <= this.position) return;
    this.position = event.position;
    if (event.name === "text.reset") {
      // The model is called again: drop its text and everything after this position.
      const { after } = event.data;
      this.log = this.log.filter((kept) => kept.position <= after && kept.name !== "text.delta");
      this.view = { ...this.log.reduce(step, empty(this.view.id)), resumed: true };
      return;
    }
    if (event.name === "snapshot") {
      // An old turn: the snapshot replaces all its events.
      const { events, text } = event.data;
      const { position } = event;
      this.log = events.map((each) => ({ position, name: each.event, data: each.data }) as TurnEvent);
      this.view = { ...this.log.reduce(step, empty(this.view.id)), text };
      return;
    }
    const last = this.log.at(-1);
    if (event.name === "text.delta" && last?.name === "text.delta") last.position = event.position;
    else this.log.push({ ...event });
    this.view = step(this.view, event);
  }

  get current(): TurnView {
    return this.view;
  }
}

function empty(id: Id): TurnView {
  return {
    id,
    userMessage: null,
    text: "",
    steps: [],
    sources: [],
    artifacts: [],
    phase: "running",
    resumed: false,
    ended: null,
  };
}

function step(view: TurnView, event: TurnEvent): TurnView {
  switch (event.name) {
    case "turn.started":
      return { ...view, userMessage: event.data.message };
    case "text.delta":
      return { ...view, text: view.text + event.data.text, resumed: false };
    case "text.reset":
    case "snapshot":
      return view;
    case "tool.started":
      return change(view, event.data.call_id, (kept) => ({
        ...kept,
        name: event.data.name,
        title: event.data.title,
        arguments: event.data.arguments,
        draft: null,
      }));
    case "draft.delta":
      return change(view, event.data.call_id, (kept) => ({ ...kept, draft: grown(kept, event.data) }));
    case "tool.progress":
      return change(view, event.data.call_id, (kept) => ({ ...kept, progress: event.data.text }));
    case "tool.finished":
      return change(view, event.data.call_id, (kept) => ({
        ...kept,
        name: kept.name || event.data.name,
        title: kept.title || humanize(event.data.name),
        progress: null,
        draft: null,
        finished: event.data,
      }));
    case "approval.requested": {
      const { card } = event.data;
      const waiting = change(view, card.call_id, (kept) => ({
        ...kept,
        name: card.tool,
        title: card.title,
        arguments: card.arguments,
        approval: { card, decision: null, by: null, reason: null, state: null },
      }));
      return { ...waiting, phase: "waiting" };
    }
    case "approval.decided": {
      const { call_id, decision, by, reason, state = null } = event.data;
      const decided = change(view, call_id, (kept) => ({
        ...kept,
        approval: kept.approval && { ...kept.approval, decision, by, reason, state },
      }));
      const waits = decided.steps.some((each) => each.approval && !each.approval.decision);
      return { ...decided, phase: waits ? "waiting" : "running" };
    }
    case "artifact.saved": {
      const { id, mark, title } = event.data;
      const artifact = { id, title, kind: mark.kind, key: mark.key, version: mark.version };
      return { ...view, artifacts: [...view.artifacts, artifact] };
    }
    case "source.cited":
      return { ...view, sources: [...view.sources, event.data.source] };
    case "phase.changed":
      return view;
    case "turn.completed":
      return { ...view, phase: "completed", ended: event.data };
    case "turn.failed":
      return { ...view, phase: "failed", ended: event.data };
    case "turn.cancelled":
      return { ...view, phase: "cancelled", ended: event.data };
    case "turn.interrupted":
      return { ...view, phase: "interrupted", ended: event.data };
    default:
      // An event type of a newer server.
      return view;
  }
}

function grown({ draft, finished }: Step, { attempt, text }: DraftText): DraftText | null {
  if (finished) return null;
  if (!draft || attempt > draft.attempt) return { attempt, text };
  return attempt < draft.attempt ? draft : { attempt, text: draft.text + text };
}

function change(view: TurnView, callId: string, how: (step: Step) => Step): TurnView {
  const known = view.steps.some((each) => each.callId === callId);
  const fresh: Step = {
    callId,
    name: "",
    title: "",
    arguments: null,
    progress: null,
    draft: null,
    finished: null,
    approval: null,
  };
  const steps = known
    ? view.steps.map((each) => (each.callId === callId ? how(each) : each))
    : [...view.steps, how(fresh)];
  return { ...view, steps };
}
