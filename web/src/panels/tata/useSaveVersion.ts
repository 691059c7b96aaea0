import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, api } from "../../api/client";
import type { Artifact, ArtifactEdit, ArtifactEntry } from "../../api/types";
import { notifyTabs } from "../../lib/tabs";
import { t } from "./strings";

/** Saves a person's change to a document as its next version. */
export function useSaveVersion(conversation: string) {
  const client = useQueryClient();
  const [saving, setSaving] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  /** `base` must be the newest version. Resolves to whether it was saved; if not, `problem` says why. */
  const save = async (base: ArtifactEntry, edit: ArtifactEdit): Promise<boolean> => {
    setSaving(true);
    setProblem(null);
    try {
      const saved = await api.editArtifact(conversation, base.id, edit);
      client.setQueryData<Artifact>(["artifact", saved.id], saved);
      // Update the cache at once, so that the old version does not flash.
      client.setQueriesData<ArtifactEntry[]>({ queryKey: ["artifacts", conversation] }, (list) =>
        list && !list.some(({ id }) => id === saved.id) ? [...list, entryOf(saved)] : list,
      );
      notifyTabs({ kind: "conversation", id: conversation });
      return true;
    } catch (error) {
      setProblem(sentence(error));
      return false;
    } finally {
      setSaving(false);
      client.invalidateQueries({ queryKey: ["artifacts", conversation] });
    }
  };
  return { save, saving, problem };
}

const entryOf = ({ id, kind, key, version, status }: Artifact): ArtifactEntry => ({
  id,
  kind,
  key,
  version,
  status,
});

function sentence(error: unknown): string {
  if (!(error instanceof ApiError)) throw error;
  if (error.code === "TURN_IN_PROGRESS") return t("saveBusy");
  if (error.code === "CONFLICT") return t("saveConflict");
  if (error.passing) return t("saveOffline");
  const [first] = Array.isArray(error.details) ? (error.details as { problem?: string }[]) : [];
  return first?.problem ?? error.message;
}
