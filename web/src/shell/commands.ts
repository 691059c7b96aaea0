/** Commands that the open page offers in the palette and by keyboard. */

import type { LucideIcon } from "lucide-react";
import { useEffect, useRef } from "react";
import { createSignal, useSignal } from "../lib/signal";

export interface Command {
  key: string;
  group: string;
  words: string;
  icon: LucideIcon;
  run: () => void;
  /** A second line, such as the text that a search found. */
  detail?: string;
}

const pages = new Map<symbol, () => Command[]>();
const offers = createSignal();
let all: (() => Command[])[] = [];

function changed() {
  all = [...pages.values()];
  offers.emit();
}

/** Offers these commands while the component is mounted. */
export function useOffer(commands: Command[]): void {
  // Read when the palette is drawn, so that a new list draws nothing else.
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
  });
  useEffect(() => {
    const owner = Symbol();
    pages.set(owner, () => latest.current);
    changed();
    return () => {
      pages.delete(owner);
      changed();
    };
  }, []);
}

export const useOffered = (): Command[] => useSignal(offers, () => all).flatMap((read) => read());
