/** One open conversation: history, outbox and running turn. Lives outside React, so
 * that a stream does not depend on rendering. */

import { ApiError, api, asApiError, request } from "../api/client";
import { session } from "../api/session";
import { events } from "../api/sse";
import type { Id, Json, Message } from "../api/types";
import { notifyTabs, subscribeToChanges } from "../lib/tabs";
import { type ChatState, type Draft, START } from "./chatState";
import { answerOf, isEditable, isRewritten, ownAuthor } from "./messages";
import { type Failure, isQueued, type Outgoing, readOutbox, saveOutbox } from "./outbox";
import { pause, retryNow } from "./retry";
import { isOver, TurnReducer } from "./turnReducer";
import { applyEvents, followTurn, parse, type Watcher } from "./turnStream";

const PAGE = 50;
const SEND_AGAIN = [500, 1_500, 4_000];

export class Chat {
  private state: ChatState = START;
  private listeners = new Set<() => void>();
  private reducers = new Map<Id, TurnReducer>();
  private stopped = new AbortController();
  private scheduled = false;
  /** Something changed while the history could not be merged; the next quiet moment reads it. */
  private stale = false;
  private unsubscribe: () => void;

  constructor(readonly id: Id) {
    this.state = { ...START, outbox: readOutbox(id) };
    this.unsubscribe = subscribeToChanges((change) => {
      if (change.kind === "conversation" && change.id === id) this.refresh();
    });
    document.addEventListener("visibilitychange", this.onVisible);
    this.load();
  }

  close(): void {
    this.stopped.abort();
    this.unsubscribe();
    document.removeEventListener("visibilitychange", this.onVisible);
  }

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): ChatState => this.state;

  private onVisible = () => {
    if (document.visibilityState === "visible") this.refresh();
  };

  private set(change: Partial<ChatState>) {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }

  async load(): Promise<void> {
    this.set({ loading: true, error: null });
    try {
      const page = await this.page(null);
      // Messages sent during the request are newer than its result.
      const known = new Set(page.items.map((message) => message.id));
      const newer = this.state.messages.filter((message) => !known.has(message.id));
      this.set({ loading: false, messages: [...page.items, ...newer], olderCursor: page.cursor });
      this.resume();
      this.catchUp();
    } catch (error) {
      if (this.stopped.signal.aborted) return;
      if (error instanceof ApiError && error.passing) {
        this.set({ reconnecting: true });
        await pause(2_000, this.stopped.signal);
        if (this.stopped.signal.aborted) return;
        this.set({ reconnecting: false });
        return this.load();
      }
      this.set({ loading: false, error: asApiError(error) });
    }
  }

  async loadOlder(): Promise<void> {
    const { olderCursor, loadingOlder } = this.state;
    if (!olderCursor || loadingOlder) return;
    this.set({ loadingOlder: true });
    try {
      const page = await this.page(olderCursor);
      this.set({
        messages: [...page.items, ...this.state.messages],
        olderCursor: page.cursor,
        loadingOlder: false,
      });
    } catch {
      this.set({ loadingOlder: false });
    }
  }

  /** Merges changes from other tabs, other people, and the time asleep. */
  async refresh(): Promise<void> {
    this.stale = this.state.loading || this.state.sending || this.state.active !== null;
    if (this.stale) return;
    const before = this.state.messages;
    try {
      const page = await this.page(null);
      // Messages added during the request are newer than its result; keep them.
      if (this.state.sending || this.state.messages !== before) return this.refresh();
      if (isRewritten(this.state.messages, page.items)) {
        this.set({ messages: page.items, olderCursor: page.cursor });
        return this.resume();
      }
      const known = new Set(this.state.messages.map((message) => message.id));
      const fresh = page.items.filter((message) => !known.has(message.id));
      if (page.items.length === 0 && known.size > 0) this.set({ messages: [], turns: new Map() });
      else if (fresh.length) this.set({ messages: [...this.state.messages, ...fresh] });
      this.resume();
    } catch {
      // The next refresh retries.
    }
  }

  /** Does the refresh that had to wait. */
  private catchUp() {
    if (this.stale) void this.refresh();
  }

  /** Resets the state after the history was cleared. */
  async forget(): Promise<void> {
    this.reducers.clear();
    this.set({ messages: [], turns: new Map(), olderCursor: null });
    await this.load();
  }

  private page(cursor: string | null) {
    return api.messages(this.id, { cursor, limit: PAGE, order: "newest" });
  }

  /** The last message has no answer: its turn runs, waits, or ended without one. */
  private resume() {
    const last = this.state.messages.at(-1);
    const turn = last?.metadata.turn_id;
    if (last?.role !== "user" || !turn) return;
    const known = this.state.turns.get(turn);
    if (known && isOver(known.phase)) return;
    this.watch(turn);
  }

  private watcher(): Watcher {
    return {
      signal: this.stopped.signal,
      changed: () => {
        if (this.state.resuming) this.set({ resuming: false });
        this.draw();
      },
      reconnecting: (lost) => {
        if (this.state.reconnecting !== lost) this.set({ reconnecting: lost, resuming: !lost });
      },
    };
  }

  private reducer(turn: Id): TurnReducer {
    let reducer = this.reducers.get(turn);
    if (!reducer) {
      reducer = new TurnReducer(turn);
      this.reducers.set(turn, reducer);
    }
    return reducer;
  }

  private async watch(turn: Id): Promise<void> {
    if (this.state.active === turn) return;
    this.set({ active: turn });
    const reducer = this.reducer(turn);
    try {
      await followTurn(this.id, turn, reducer, this.watcher());
    } catch (error) {
      if (asApiError(error).status === 404) await this.load();
    }
    if (!this.stopped.signal.aborted) this.finish(turn);
  }

  /** Notifies at most once per frame, however fast the text streams. */
  private draw() {
    if (this.scheduled) return;
    this.scheduled = true;
    const later = document.hidden
      ? (then: () => void) => setTimeout(then, 200)
      : (then: () => void) => requestAnimationFrame(then);
    later(() => {
      this.scheduled = false;
      if (!this.stopped.signal.aborted) this.publish();
    });
  }

  private publish() {
    const turns = new Map(this.state.turns);
    for (const [id, reducer] of this.reducers) turns.set(id, reducer.current);
    this.set({ turns });
  }

  /** Adds the finished answer to the history, built from its events. */
  private finish(turn: Id) {
    this.publish();
    const view = this.reducer(turn).current;
    const id = view.ended?.message;
    const messages = [...this.state.messages];
    if (id && !messages.some((message) => message.id === id)) messages.push(answerOf(this.id, view, id));
    this.set({
      messages,
      active: this.state.active === turn ? null : this.state.active,
      stopping: false,
      reconnecting: false,
      resuming: false,
    });
    notifyTabs({ kind: "conversation", id: this.id });
    if (id && view.sources.length) void this.reread(id);
    if (isOver(view.phase)) this.sendQueued();
    this.catchUp();
  }

  /** Sends the first message that waited for a decision; its own turn sends the next. */
  private sendQueued() {
    const queued = this.state.outbox.find(isQueued);
    if (queued) this.resend(queued.key);
  }

  /** Loads the message's metadata (citations), which is not in the events. */
  async reread(id: Id): Promise<void> {
    try {
      const { items } = await api.messages(this.id, { limit: 4, order: "newest" });
      const kept = items.find((message) => message.id === id);
      if (!kept || this.stopped.signal.aborted) return;
      this.set({ messages: this.state.messages.map((each) => (each.id === id ? kept : each)) });
    } catch {
      // Shown after the next reload.
    }
  }

  /** Loads the events of a finished turn for its step cards. */
  async recall(turn: Id): Promise<void> {
    if (this.reducers.has(turn)) return;
    const reducer = this.reducer(turn);
    try {
      const response = await request(`/conversations/${this.id}/turns/${turn}/events`, {
        headers: { accept: "text/event-stream" },
        signal: this.stopped.signal,
      });
      const silent = { signal: this.stopped.signal, changed: () => {}, reconnecting: () => {} };
      await applyEvents(response, reducer, silent);
      this.draw();
    } catch {
      this.reducers.delete(turn);
    }
  }

  send(draft: Draft): void {
    const outgoing: Outgoing = {
      key: crypto.randomUUID(),
      content: draft.content,
      attachments: draft.attachments ?? [],
      form: draft.form ?? null,
      at: new Date().toISOString(),
      failure: null,
    };
    this.setOutbox([...this.state.outbox, outgoing]);
    this.dispatch(outgoing);
  }

  resend(key: string): void {
    const found = this.state.outbox.find((each) => each.key === key);
    if (!found || this.state.sending) return;
    this.replaceOutgoing(key, { ...found, failure: null });
    this.dispatch({ ...found, failure: null });
  }

  discard(key: string): Outgoing | undefined {
    const found = this.state.outbox.find((each) => each.key === key);
    this.setOutbox(this.state.outbox.filter((each) => each.key !== key));
    return found;
  }

  private setOutbox(outbox: Outgoing[]) {
    saveOutbox(this.id, outbox);
    this.set({ outbox });
  }

  private replaceOutgoing(key: string, next: Outgoing) {
    this.setOutbox(this.state.outbox.map((each) => (each.key === key ? next : each)));
  }

  private async dispatch(outgoing: Outgoing): Promise<void> {
    this.set({ sending: true });
    try {
      const response = await this.post(outgoing);
      await this.receive(response, (turn, message) => this.accepted(outgoing, turn, message));
    } catch (error) {
      if (this.stopped.signal.aborted) return;
      this.replaceOutgoing(outgoing.key, { ...outgoing, failure: failureOf(asApiError(error)) });
      const { code } = asApiError(error);
      this.set({ sending: false });
      if (code === "TURN_IN_PROGRESS") this.refresh();
      // The card may have been decided while the message was on its way.
      if (code === "DECISION_PENDING" && !this.state.active) this.resume();
    }
  }

  /** Sends a message; without a response, retries with the same key. */
  private async post(outgoing: Outgoing): Promise<Response> {
    for (const wait of [...SEND_AGAIN, null]) {
      try {
        return await this.postOnce(outgoing);
      } catch (error) {
        const again = error instanceof ApiError && error.status === 0 && !outgoing.form;
        if (!again || wait === null) throw error;
        this.set({ reconnecting: true });
        await pause(wait, this.stopped.signal);
        this.set({ reconnecting: false });
      }
    }
    throw new ApiError(0, "OFFLINE", "The server cannot be reached");
  }

  private postOnce({ key, content, attachments, form }: Outgoing): Promise<Response> {
    const path = form ? "forms" : "messages";
    const body = form
      ? { tool: form.tool, arguments: form.arguments }
      : {
          content,
          // Include names and types, so that the history can show the files.
          ...(attachments.length
            ? { attachments: attachments.map((file) => file.id), metadata: { attachments } }
            : {}),
        };
    return request(`/conversations/${this.id}/${path}`, {
      method: "POST",
      body,
      headers: { accept: "text/event-stream", "idempotency-key": key },
      signal: this.stopped.signal,
    });
  }

  /** Reads a stream from its first event; if it breaks, follows the turn instead. */
  private async receive(response: Response, accepted: (turn: Id, message: Id) => void): Promise<void> {
    let reducer: TurnReducer | null = null;
    try {
      for await (const event of events(response)) {
        const taken = parse(event.event, event.id, event.data);
        if (!taken) continue;
        if (taken.name === "turn.started") {
          reducer = this.reducer(taken.data.turn);
          accepted(taken.data.turn, taken.data.message);
        }
        reducer?.apply(taken);
        this.draw();
      }
    } catch (error) {
      if (this.stopped.signal.aborted) return;
      if (!reducer) throw error instanceof ApiError ? error : new ApiError(0, "OFFLINE", String(error));
    }
    if (!reducer) throw new ApiError(0, "OFFLINE", "The server cannot be reached");
    const turn = reducer.current.id;
    if (!isOver(reducer.current.phase)) await followTurn(this.id, turn, reducer, this.watcher());
    if (!this.stopped.signal.aborted) this.finish(turn);
  }

  private accepted(outgoing: Outgoing, turn: Id, id: Id) {
    const known = this.state.messages.some((message) => message.id === id);
    const message: Message = {
      id,
      conversation_id: this.id,
      role: "user",
      author: ownAuthor(),
      content: outgoing.content,
      metadata: {
        turn_id: turn,
        ...(outgoing.attachments.length ? { attachments: outgoing.attachments } : {}),
      },
      created_at: outgoing.at,
    };
    this.set({
      messages: known ? this.state.messages : [...this.state.messages, message],
      active: turn,
      sending: false,
    });
    this.discard(outgoing.key);
    notifyTabs({ kind: "conversation", id: this.id });
    notifyTabs({ kind: "list" });
  }

  /** Resolves when the outbox is empty and no turn is running or waiting. */
  rest(): Promise<void> {
    const still = () => !this.state.active && !this.state.sending;
    return new Promise((resolve) => {
      // A message that was just sent enters the outbox a moment later.
      const look = () => {
        if (!still() && !this.stopped.signal.aborted) return;
        stop();
        resolve();
      };
      const stop = this.subscribe(look);
      setTimeout(look);
    });
  }

  async stop(): Promise<void> {
    const { active } = this.state;
    if (!active || this.state.stopping) return;
    this.set({ stopping: true });
    await api.cancel(this.id, active).catch(() => this.set({ stopping: false }));
  }

  /** Retries a turn that ended without an answer. */
  async retry(turn: Id): Promise<Failure | null> {
    if (this.state.active || this.state.sending) return null;
    this.set({ sending: true });
    try {
      const response = await request(`/conversations/${this.id}/turns/${turn}/retry`, {
        method: "POST",
        headers: { accept: "text/event-stream" },
        signal: this.stopped.signal,
      });
      await this.receive(response, (next, message) => {
        this.set({
          active: next,
          sending: false,
          messages: this.state.messages.map((each) =>
            each.id === message ? { ...each, metadata: { ...each.metadata, turn_id: next } } : each,
          ),
        });
      });
      return null;
    } catch (error) {
      this.set({ sending: false });
      return this.stopped.signal.aborted ? null : failureOf(asApiError(error));
    }
  }

  /** Opens a message of one's own for editing; `null` closes it. */
  edit(message: Id | null): void {
    this.set({ editing: message });
  }

  /** Opens the newest message of one's own that can be edited. */
  editLast(): boolean {
    const last = this.ownLast();
    if (!last || !isEditable(last) || this.state.active || this.state.sending) return false;
    this.edit(last.id);
    return true;
  }

  private ownLast(): Message | undefined {
    const last = this.state.messages.findLast((message) => message.role === "user");
    return last && last.author?.id === session()?.me.id ? last : undefined;
  }

  mayAnswerAgain(): boolean {
    return this.ownLast() !== undefined;
  }

  /** Answers the newest message again. */
  async again(): Promise<Failure | null> {
    const last = this.ownLast();
    return last ? this.revise(last.id, null) : null;
  }

  /** Replaces a message by a new version, or answers it again; what followed is set aside. */
  async revise(id: Id, content: string | null): Promise<Failure | null> {
    if (this.state.active || this.state.sending) return null;
    this.set({ sending: true });
    try {
      const response = await request(`/conversations/${this.id}/messages/${id}/versions`, {
        method: "POST",
        body: content === null ? {} : { content },
        headers: { accept: "text/event-stream", "idempotency-key": crypto.randomUUID() },
        signal: this.stopped.signal,
      });
      await this.receive(response, (turn, next) => this.replaceFrom(id, next, turn, content));
      // The server knows what the new version keeps.
      await this.reload();
      return null;
    } catch (error) {
      this.set({ sending: false });
      return this.stopped.signal.aborted ? null : failureOf(asApiError(error));
    }
  }

  /** Shows the new version while its answer streams. */
  private replaceFrom(old: Id, id: Id, turn: Id, content: string | null) {
    const at = this.state.messages.findIndex((message) => message.id === old);
    const before = this.state.messages[at];
    if (!before) return;
    const versions = [...(before.versions ?? [before.id]), id];
    const message: Message = {
      ...before,
      id,
      versions,
      content: content ?? before.content,
      metadata: { ...before.metadata, turn_id: turn },
      created_at: new Date().toISOString(),
    };
    this.set({
      messages: [...this.state.messages.slice(0, at), message],
      active: turn,
      sending: false,
      editing: null,
    });
    // Its metadata names the effects that stay.
    void this.reread(id);
    notifyTabs({ kind: "list" });
  }

  async selectVersion(version: Id): Promise<void> {
    if (this.state.active || this.state.sending) return;
    try {
      await api.selectVersion(this.id, version);
    } finally {
      await this.reload();
      notifyTabs({ kind: "conversation", id: this.id });
    }
  }

  /** Takes the newest page in place of what is shown. */
  private async reload(): Promise<void> {
    try {
      const page = await this.page(null);
      if (this.state.active || this.state.sending) return;
      this.set({ messages: page.items, olderCursor: page.cursor });
    } catch {
      // The next refresh retries.
    }
  }

  async decide(
    turn: Id,
    call: string,
    decision: "approve" | "reject",
    reason: string,
    edited?: { [name: string]: Json },
  ): Promise<void> {
    await api.decide(this.id, turn, call, decision, reason, edited);
    notifyTabs({ kind: "approvals" });
    retryNow();
  }
}

export function failureOf(error: ApiError): Failure {
  const wait = error.retryAfter ?? (error.status === 429 ? 60 : null);
  return {
    status: error.status,
    code: error.code,
    message: error.message,
    retryAt: wait === null ? null : Date.now() + wait * 1000,
  };
}

/** The text of a submitted form in the thread. */
export function formText(title: string, values: { [name: string]: Json }): string {
  const lines = Object.entries(values).map(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `${name.replaceAll("_", " ")}: ${text}`;
  });
  return [title, ...lines].join("\n");
}
