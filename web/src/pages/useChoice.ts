/** The assistant for the text that is being written: picked by the person, or chosen by the server after a pause. */

import { useEffect, useRef, useState } from "react";
import { api } from "../api/client";

/** Milliseconds without a keystroke. */
const PAUSE = 500;

/** `names`: the person's assistants, that of their daily work first. */
export function useChoice(names: string[]) {
  const [picked, pick] = useState<string | null>(null);
  const [chosen, setChosen] = useState<{ text: string; name: string | null } | null>(null);
  const [deciding, setDeciding] = useState(false);
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const only = names.length === 1 ? names[0] : undefined;

  const ask = async (text: string): Promise<string | null> => {
    const name = await api.chooseAssistant(text).then(
      ({ assistant }) => assistant,
      // Offline or too busy: the person's first assistant answers.
      () => null,
    );
    setChosen({ text, name });
    return name;
  };
  /** Follows what is written. */
  const read = (text: string) => {
    clearTimeout(timer.current);
    if (text.trim() === "") setChosen(null);
    else if (!only && !picked) timer.current = window.setTimeout(() => ask(text.trim()), PAUSE);
  };
  /** The assistant for the final text. */
  const decide = async (text: string): Promise<string | undefined> => {
    clearTimeout(timer.current);
    if (only ?? picked) return only ?? picked ?? undefined;
    if (chosen?.text === text.trim()) return chosen.name ?? names[0];
    setDeciding(true);
    const name = await ask(text.trim());
    setDeciding(false);
    return name ?? names[0];
  };
  const assistant = only ?? picked ?? (chosen ? (chosen.name ?? names[0]) : undefined);
  return { assistant, picked: picked !== null, deciding, pick, read, decide };
}
