import { createSignal, useSignal } from "./signal";
import { keep } from "./storage";

export type Theme = "system" | "light" | "dark";

const KEY = "frontdesk.theme";
const changed = createSignal();

const current = (): Theme => (document.documentElement.dataset["theme"] as Theme | undefined) ?? "system";

export function chooseTheme(theme: Theme): void {
  const root = document.documentElement;
  if (theme === "system") delete root.dataset["theme"];
  else root.dataset["theme"] = theme;
  keep(KEY, theme === "system" ? null : theme);
  changed.emit();
}

export const useTheme = (): Theme => useSignal(changed, current);
