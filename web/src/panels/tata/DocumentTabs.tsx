/** The tabs of a project's documents, with the one that is being written at the end. */

import { LoaderCircle } from "lucide-react";
import type { Artifact } from "../../api/types";
import { locale } from "../../i18n";
import { contentOf } from "./content";
import { newest, type Series } from "./series";
import { kindName, t } from "./strings";
import { DRAFT } from "./useDraft";

interface Props {
  all: readonly Series[];
  /** The newest version of each series, as far as it is loaded. */
  documents: ReadonlyMap<string, Artifact>;
  stale: ReadonlyMap<string, string>;
  /** True while another document is being written. */
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
    <div className="document-tabs" role="tablist" aria-label={t("documents")}>
      {all.map((each) => (
        <button key={each.id} {...tab(each.id)}>
          <span>
            {kindName(each.kind)}
            {distinction(each, all, documents.get(each.id))}
          </span>
          {stale.has(each.id) ? (
            <span className="pill warn">{t("stale")}</span>
          ) : (
            newest(each)?.status === "draft" &&
            each.kind === "requirement_profile" && <span className="pill">{t("draft")}</span>
          )}
        </button>
      ))}
      {writing && (
        <button {...tab(DRAFT)}>
          <LoaderCircle aria-hidden size={14} className="spin" />
          {t("writing")}
        </button>
      )}
    </div>
  );
}

/** Distinguishes documents of one kind: reports by candidate, other texts by language. */
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
