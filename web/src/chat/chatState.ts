/** The state of one open conversation and the message that is written in it. */

import type { ApiError } from "../api/client";
import type { FileRef, Id, Message } from "../api/types";
import type { Outgoing } from "./outbox";
import type { TurnView } from "./turnReducer";

export interface ChatState {
  loading: boolean;
  /** Set if the conversation cannot be loaded. */
  error: ApiError | null;
  messages: Message[];
  olderCursor: string | null;
  loadingOlder: boolean;
  turns: ReadonlyMap<Id, TurnView>;
  outbox: Outgoing[];
  /** The running or waiting turn. */
  active: Id | null;
  sending: boolean;
  stopping: boolean;
  reconnecting: boolean;
  /** The connection is back after a loss, but the running turn has not gone on yet. */
  resuming: boolean;
  /** The message in edit. */
  editing: Id | null;
}

export const START: ChatState = {
  loading: true,
  error: null,
  messages: [],
  olderCursor: null,
  loadingOlder: false,
  turns: new Map(),
  outbox: [],
  active: null,
  sending: false,
  stopping: false,
  reconnecting: false,
  resuming: false,
  editing: null,
};

export interface Draft {
  content: string;
  attachments?: FileRef[];
  form?: Outgoing["form"];
}
