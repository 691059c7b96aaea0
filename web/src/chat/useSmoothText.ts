import { useEffect, useRef, useState } from "react";

const STILL = "(prefers-reduced-motion: reduce)";

/** Smooths streamed text: each frame reveals part of the rest. Text that is not `live` is shown at once. */
export function useSmoothText(text: string, live: boolean): string {
  const [shown, setShown] = useState(live ? 0 : text.length);
  const target = useRef(text);
  target.current = text;
  const behind = shown < text.length;
  useEffect(() => {
    if (!behind) return;
    if (matchMedia(STILL).matches || document.hidden) {
      setShown(target.current.length);
      return;
    }
    const frame = requestAnimationFrame(() => {
      setShown((now) => {
        const missing = target.current.length - now;
        return now + Math.max(2, Math.ceil(missing / 9));
      });
    });
    return () => cancelAnimationFrame(frame);
  });
  // After a reset the text is shorter than the shown part.
  useEffect(() => {
    if (shown > text.length) setShown(text.length);
  }, [shown, text]);
  return behind ? safeCut(text, shown) : text;
}

/** Never splits a surrogate pair. */
function safeCut(text: string, at: number): string {
  const code = text.charCodeAt(at - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? at - 1 : at);
}
