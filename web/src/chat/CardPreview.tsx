/** The object of a card, loaded when the card is shown to a person who may decide it. */

import { useEffect, useState } from "react";
import { api } from "../api/client";
import type { Preview } from "../api/schema";
import type { ApprovalCard, Id } from "../api/types";
import { t } from "../i18n";
import { factLabel, factValue } from "./cardWords";

/** `null` while loading. A card without an object has nothing to load. */
export function usePreview(
  card: ApprovalCard,
  conversation: Id,
  turn: Id,
  wanted: boolean,
): { preview: Preview | null; failed: boolean } {
  const [preview, setPreview] = useState<Preview | null>(null);
  const [failed, setFailed] = useState(false);
  const call = card.call_id;
  const load = wanted && card.preview === true;
  useEffect(() => {
    if (!load) return;
    const leaving = new AbortController();
    api.preview(conversation, turn, call, leaving.signal).then(
      (loaded) => {
        setPreview(loaded);
        setFailed(loaded.problem !== null && loaded.problem !== undefined);
      },
      () => {
        if (!leaving.signal.aborted) setFailed(true);
      },
    );
    return () => leaving.abort();
  }, [load, conversation, turn, call]);
  return { preview, failed };
}

export function PreviewFacts({ preview, failed }: { preview: Preview | null; failed: boolean }) {
  if (failed) return <p className="problem">{t("approval.noDetails")}</p>;
  if (!preview) return <p className="muted">{t("approval.loading")}</p>;
  return (
    <dl className="arguments">
      {preview.facts.map((fact) => (
        <div key={fact.name}>
          <dt>{factLabel(fact)}</dt>
          <dd>{factValue(fact)}</dd>
        </div>
      ))}
    </dl>
  );
}
