/** Short messages at the edge of the page, with an action such as undo. */

import { useSyncExternalStore } from "react";

export interface Toast {
  id: number;
  text: string;
  action?: { label: string; run: () => void };
}

/** In milliseconds. Long enough to read the text and reach the button. */
const SHOWN_FOR = 8_000;

let toasts: Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();

function set(next: Toast[]) {
  toasts = next;
  for (const listener of listeners) listener();
}

export function hideToast(id: number): void {
  set(toasts.filter((toast) => toast.id !== id));
}

export function showToast(text: string, action?: Toast["action"]): number {
  last += 1;
  const id = last;
  set([...toasts, { id, text, ...(action ? { action } : {}) }]);
  setTimeout(() => hideToast(id), SHOWN_FOR);
  return id;
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useToasts = (): Toast[] => useSyncExternalStore(subscribe, () => toasts);
