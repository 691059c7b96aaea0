/** A line diff of two versions; long unchanged stretches are collapsed. */

import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/client";
import type { ArtifactEntry, LineChange } from "../../api/types";
import { t } from "./strings";

export function Changes(props: { conversation: string; entry: ArtifactEntry; before: ArtifactEntry }) {
  const { conversation, entry, before } = props;
  const changes = useQuery({
    queryKey: ["changes", entry.id, before.id],
    queryFn: () => api.artifactChanges(conversation, entry.id, before.id),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <>
      <h3>{t("since", { number: before.version })}</h3>
      {changes.data?.every((change) => change.kind === "same") && <p className="muted">{t("noChanges")}</p>}
      <ol className="diff">
        {near(changes.data ?? []).map(({ change, at }) => (
          <li key={at} className={change ? change.kind : "gap"}>
            {change ? (
              <>
                {change.kind !== "same" && (
                  <span className="sr-only">{t(change.kind === "added" ? "added" : "removed")}: </span>
                )}
                {change.text}
              </>
            ) : (
              "⋯"
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

/** Lines shown before and after a change. */
const AROUND = 2;

function near(changes: LineChange[]): { change: LineChange | null; at: number }[] {
  const shown = changes.map((_, at) =>
    changes.slice(Math.max(0, at - AROUND), at + AROUND + 1).some((each) => each.kind !== "same"),
  );
  if (!shown.includes(true)) return [];
  const list: { change: LineChange | null; at: number }[] = [];
  for (const [at, change] of changes.entries()) {
    if (shown[at]) list.push({ change, at });
    else if (shown[at - 1] || at === 0) list.push({ change: null, at });
  }
  return list;
}
