import type { Source } from "../api/types";
import { t } from "../i18n";
import { askToLeave } from "../markdown/LeaveDialog";
import { safeUrl } from "../markdown/parse";

/** Where an answer comes from. Titles and addresses were written by others: they are text, and links only lead
 * away after they were shown. */
export function Sources({ sources }: { sources: Source[] }) {
  if (sources.length === 0) return null;
  return (
    <section className="sources" aria-label={t("source.title")}>
      <h3>{t("source.title")}</h3>
      <ol>
        {sources.map((source, index) => {
          const url = safeUrl(source.url);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is as it was cited
            <li key={index}>
              {url && url.origin !== location.origin ? (
                <button type="button" className="source" onClick={() => askToLeave(url.href)}>
                  {source.title || url.host}
                </button>
              ) : (
                <span>{source.title}</span>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
