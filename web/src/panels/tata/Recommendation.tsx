/** The recruiter's decision in a candidate report. Choosing one saves a new version. */

import { useId } from "react";
import type { ArtifactEntry } from "../../api/types";
import { Problem } from "../../ui/Problem";
import { t } from "./strings";
import { useSaveVersion } from "./useSaveVersion";

const CHOICES = ["recommended", "recommended_with_reservations", "not_recommended"] as const;

interface Props {
  conversation: string;
  /** The newest version. */
  entry: ArtifactEntry;
  fields: { [name: string]: unknown };
  disabled: boolean;
}

export function Recommendation({ conversation, entry, fields, disabled }: Props) {
  const { save, saving, problem } = useSaveVersion(conversation);
  const id = useId();
  const decided = CHOICES.find((choice) => choice === fields["recommendation"]);
  return (
    <div className="recommendation">
      <label htmlFor={id}>{t("yourRecommendation")}</label>
      <select
        id={id}
        value={decided ?? ""}
        disabled={disabled || saving}
        onChange={(event) => save(entry, { fields: { recommendation: event.target.value || null } })}
      >
        <option value="">{t("not_decided")}</option>
        {CHOICES.map((choice) => (
          <option key={choice} value={choice}>
            {t(choice)}
          </option>
        ))}
      </select>
      <Problem>{problem}</Problem>
    </div>
  );
}
