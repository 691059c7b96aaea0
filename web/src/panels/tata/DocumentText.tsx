/** The text of a document. Internal sections are marked. */

import { EyeOff } from "lucide-react";
import { Markdown } from "../../markdown/Markdown";
import { type DocumentContent, partsOf } from "./content";
import { Funnel, funnelOf } from "./Funnel";
import { t } from "./strings";

export function DocumentText({ text, content }: { text: string; content: DocumentContent }) {
  const { head, parts } = partsOf(text, content.madeWith);
  const funnel = funnelOf(content);
  return (
    <>
      <Markdown text={head} />
      {funnel && <Funnel figures={funnel} />}
      {parts.map((part, index) =>
        part.internal ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a version never changes
          <div key={index} className="internal">
            <p className="internal-mark">
              <EyeOff aria-hidden size={14} />
              {t("internal")}
            </p>
            <Markdown text={part.text} level={4} />
          </div>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a version never changes
          <Markdown key={index} text={part.text} level={4} />
        ),
      )}
    </>
  );
}
