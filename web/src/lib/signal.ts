/** Tells components about changes of a value that lives outside React. */

import { useSyncExternalStore } from "react";

export interface Signal {
  emit: () => void;
  subscribe: (listener: () => void) => () => void;
}

export function createSignal(): Signal {
  const listeners = new Set<() => void>();
  return {
    emit: () => {
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Renders the component again when the value changed. */
export const useSignal = <T>(signal: Signal, read: () => T): T =>
  useSyncExternalStore(signal.subscribe, read);
