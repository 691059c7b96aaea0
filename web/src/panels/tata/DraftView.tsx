/** A document while the model is writing it. */

import { LoaderCircle } from "lucide-react";
import { useEffect, useRef } from "react";
import type { Step } from "../../chat/turnReducer";
import { useSmoothText } from "../../chat/useSmoothText";
import { currentLanguage } from "../../i18n";
import { toolName } from "../../lib/serverNames";
import { Markdown } from "../../markdown/Markdown";
import { Scroll } from "../../ui/Scroll";

/** Distance from the end, in pixels, within which the view follows the text. */
const AT_THE_END = 80;

/** Progress texts from the server are English; other languages show the tool's name. */
const draftTitle = ({ progress, name, title }: Step): string =>
  progress && currentLanguage() === "en" ? progress : `${toolName(name, title)}…`;

export function DraftView({ step }: { step: Step }) {
  const title = draftTitle(step);
  const end = useRef<HTMLDivElement>(null);
  const text = useSmoothText(step.draft?.text ?? "", true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what moves the end
  useEffect(() => {
    const box = end.current?.parentElement;
    if (box && box.scrollHeight - box.scrollTop - box.clientHeight < AT_THE_END)
      box.scrollTop = box.scrollHeight;
  }, [text]);
  return (
    <section className="document" aria-label={title} aria-busy="true">
      {/* Only the heading is a live region: a growing text would be read out repeatedly. */}
      <p className="draft-title" role="status">
        <LoaderCircle aria-hidden size={16} className="spin" />
        {title}
      </p>
      <Scroll className="document-text draft-text" label={title}>
        {/* The server sends one paragraph per line. */}
        <Markdown text={text.replaceAll(/\n+/g, "\n\n")} open />
        <div ref={end} />
      </Scroll>
    </section>
  );
}
