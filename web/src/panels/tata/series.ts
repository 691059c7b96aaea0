/** The documents of a project, grouped into series of versions, and which ones are stale. */

import type { Artifact, ArtifactEntry } from "../../api/types";

export interface Series {
  id: string;
  kind: string;
  /** Distinguishes several series of one kind. */
  key: string;
  /** Oldest first. */
  versions: ArtifactEntry[];
}

/** The standard order; each kind depends on those before it. */
const ORDER = [
  "requirement_profile",
  "job_ad",
  "ta_screening_template",
  "hm_screening_template",
  "headhunting_messages",
  "candidate_reports",
  "candidate_comparison",
  "di_review",
  "job_ad_review",
  "funnel_report",
  "calendar_invite",
];

const rank = (kind: string) => (ORDER.indexOf(kind) + ORDER.length + 1) % (ORDER.length + 1);

export function series(entries: readonly ArtifactEntry[]): Series[] {
  const found = new Map<string, Series>();
  for (const entry of entries) {
    const id = `${entry.kind}/${entry.key}`;
    const known = found.get(id) ?? { id, kind: entry.kind, key: entry.key, versions: [] };
    known.versions.push(entry);
    found.set(id, known);
  }
  return [...found.values()].sort((a, b) => rank(a.kind) - rank(b.kind) || a.key.localeCompare(b.key));
}

export const newest = (of: Series): ArtifactEntry | undefined => of.versions.at(-1);

/** The source that is newer than the document; undefined while it is up to date. */
export function staleFrom(document: Artifact, all: readonly Series[]): string | null {
  const older = document.built_from.find((from) => {
    // A revised or confirmed version derives from the one before it: its own series does not make it stale.
    if (from.kind === document.kind) return false;
    const known = all.find((each) => each.kind === from.kind && each.key === from.key);
    return (newest(known ?? EMPTY)?.version ?? 0) > from.version;
  });
  return older?.kind ?? null;
}

const EMPTY: Series = { id: "", kind: "", key: "", versions: [] };

/** The tool that can rebuild a document from the project's data, if any. */
export function rebuilder(of: Series): { tool: string; arguments: { [name: string]: string } } | null {
  const language: { [name: string]: string } = of.key ? { language: of.key } : {};
  switch (of.kind) {
    case "job_ad":
      return { tool: "create_job_ad", arguments: language };
    case "ta_screening_template":
      return { tool: "create_ta_screening_template", arguments: language };
    case "hm_screening_template":
      return { tool: "create_hm_screening_template", arguments: language };
    case "headhunting_messages":
      return { tool: "create_headhunting_messages", arguments: language };
    case "candidate_comparison":
      return { tool: "compare_candidates", arguments: {} };
    // Only a review of the project's own ad becomes stale, and without a text that ad is reviewed again.
    case "job_ad_review":
      return { tool: "review_job_ad", arguments: {} };
    case "di_review":
      return { tool: "review_di_compliance", arguments: {} };
    default:
      return null;
  }
}
