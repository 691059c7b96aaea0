/** Short messages at the edge of the page, with an action such as undo. */

import { createSignal, useSignal } from "../lib/signal";

export interface Toast {
  id: number;
  text: string;
  action?: { label: string; run: () => void };
  /** Runs when the toast goes and its action was not taken. */
  onGone?: () => void;
}

/** In milliseconds. Long enough to read the text and reach the button. */
const SHOWN_FOR = 8_000;
/** How long a toast stays after the pointer or the focus left it, in milliseconds. */
const SHOWN_AFTER_HOLD = 2_000;

let toasts: Toast[] = [];
let last = 0;
let held = false;
const changed = createSignal();

function set(next: Toast[]) {
  toasts = next;
  changed.emit();
}

function take(id: number): Toast | undefined {
  const toast = toasts.find((each) => each.id === id);
  if (toast) set(toasts.filter((each) => each !== toast));
  // A pointer or focus in it leaves without an event.
  held = false;
  return toast;
}

export function hideToast(id: number): void {
  take(id)?.onGone?.();
}

export function runToastAction(id: number): void {
  take(id)?.action?.run();
}

/** Keeps the toasts while somebody points at them or has the focus in them. */
export function holdToasts(hold: boolean): void {
  held = hold;
}

export function showToast(text: string, more: Pick<Toast, "action" | "onGone"> = {}): number {
  last += 1;
  const id = last;
  set([...toasts, { id, text, ...more }]);
  const expire = () => {
    if (held) setTimeout(expire, SHOWN_AFTER_HOLD);
    else hideToast(id);
  };
  setTimeout(expire, SHOWN_FOR);
  return id;
}

export const useToasts = (): Toast[] => useSignal(changed, () => toasts);
