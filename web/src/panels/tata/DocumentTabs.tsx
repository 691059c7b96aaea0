/** The tabs of a project's documents, with the one that is being written at the end. */

import { LoaderCircle } from "lucide-react";
import type { Artifact } from "../../api/types";
import { locale } from "../../i18n";
import { contentOf } from "./content";
import { newest, type Series } from "./series";
import { DRAFT } from "./useDraft";
import { kindName, w } from "./words";

interface Props {
  all: readonly Series[];
  /** The newest version of each series, as far as it is loaded. */
  documents: ReadonlyMap<string, Artifact>;
  stale: ReadonlyMap<string, string>;
  /** Whether another one is being written. */
  writing: boolean;
  chosen: string;
  onChoose: (id: string) => void;
}

export function DocumentTabs({ all, documents, stale, writing, chosen, onChoose }: Props) {
  const tab = (id: string) => ({
    type: "button" as const,
    role: "tab",
    "aria-selected": id === chosen,
    className: "document-tab",
    onClick: () => onChoose(id),
    ref:
      id === chosen
        ? (element: HTMLElement | null) => element?.scrollIntoView({ block: "nearest", inline: "nearest" })
        : null,
  });
  return (
    <div className="document-tabs" role="tablist" aria-label={w("documents")}>
      {all.map((each) => (
        <button key={each.id} {...tab(each.id)}>
          <span>
            {kindName(each.kind)}
            {distinction(each, all, documents.get(each.id))}
          </span>
          {stale.has(each.id) ? (
            <span className="pill warn">{w("stale")}</span>
          ) : (
            newest(each)?.status === "draft" &&
            each.kind === "requirement_profile" && <span className="pill">{w("draft")}</span>
          )}
        </button>
      ))}
      {writing && (
        <button {...tab(DRAFT)}>
          <LoaderCircle aria-hidden size={14} className="spin" />
          {w("writing")}
        </button>
      )}
    </div>
  );
}

/** Which of several of a kind it is: a report by the candidate, other texts by their language. */
function distinction(of: Series, all: readonly Series[], document: Artifact | undefined): string {
  const candidate = contentOf(document).fields["candidate"];
  if (typeof candidate === "string") return ` · ${candidate}`;
  const several = all.filter((each) => each.kind === of.kind).length > 1;
  return several && of.key ? ` · ${languageName(of.key) ?? of.key.replaceAll("_", " ")}` : "";
}

function languageName(code: string): string | undefined {
  if (!/^[a-z]{2}$/.test(code)) return undefined;
  return new Intl.DisplayNames(locale(), { type: "language" }).of(code);
}
