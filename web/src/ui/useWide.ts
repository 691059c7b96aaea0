import { useSyncExternalStore } from "react";

/** From here on a panel stands beside the chat; below it would cover it. */
const WIDE = "(min-width: 1081px)";

const subscribe = (changed: () => void) => {
  const query = matchMedia(WIDE);
  query.addEventListener("change", changed);
  return () => query.removeEventListener("change", changed);
};

/** Whether there is room for a panel beside the chat, also after the window was made larger or smaller. */
export const useWide = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(WIDE).matches);
