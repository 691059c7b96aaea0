import { useSyncExternalStore } from "react";

/** From this width a panel fits beside the chat; below it, the panel covers the chat. */
const WIDE = "(min-width: 1081px)";

const subscribe = (changed: () => void) => {
  const query = matchMedia(WIDE);
  query.addEventListener("change", changed);
  return () => query.removeEventListener("change", changed);
};

/** True while the window is wide enough for a panel beside the chat. */
export const useWide = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(WIDE).matches);
