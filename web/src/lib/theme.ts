import { useSyncExternalStore } from "react";

export type Theme = "system" | "light" | "dark";

const KEY = "frontdesk.theme";
const listeners = new Set<() => void>();

const current = (): Theme => (document.documentElement.dataset["theme"] as Theme | undefined) ?? "system";

export function chooseTheme(theme: Theme): void {
  const root = document.documentElement;
  if (theme === "system") delete root.dataset["theme"];
  else root.dataset["theme"] = theme;
  try {
    if (theme === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, current);
}
