/** Steps through the versions of a message. */

import { ChevronLeft, ChevronRight } from "lucide-react";
import type { Id } from "../api/types";
import { t } from "../i18n";

interface Props {
  current: Id;
  versions: Id[];
  busy: boolean;
  onSelect: (version: Id) => void;
}

export function VersionSwitch({ current, versions, busy, onSelect }: Props) {
  const at = versions.indexOf(current);
  const step = (by: 1 | -1, label: string, Icon: typeof ChevronLeft) => {
    const next = versions[at + by];
    return (
      <button
        type="button"
        className="icon-button small"
        aria-label={label}
        title={label}
        disabled={next === undefined || busy}
        onClick={() => next && onSelect(next)}
      >
        <Icon aria-hidden size={15} />
      </button>
    );
  };
  return (
    <span className="versions">
      {step(-1, t("chat.previousVersion"), ChevronLeft)}
      <span>
        <span aria-hidden>
          {at + 1}/{versions.length}
        </span>
        <span className="sr-only">{t("chat.version", { count: at + 1, total: versions.length })}</span>
      </span>
      {step(1, t("chat.nextVersion"), ChevronRight)}
    </span>
  );
}
