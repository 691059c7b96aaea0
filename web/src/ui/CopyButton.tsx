import { Check, Copy } from "lucide-react";
import { t } from "../i18n";
import { useCopy } from "./useCopy";

interface Props {
  text: string;
  /** The button's words; an icon alone if absent. */
  words?: string;
}

/** Copies a text, and says so for a moment. */
export function CopyButton({ text, words }: Props) {
  const { copied, copy } = useCopy();
  const Icon = copied ? Check : Copy;
  const label = copied ? t("chat.copied") : (words ?? t("chat.copy"));
  return words ? (
    <button type="button" className="button small" onClick={() => copy(text)}>
      <Icon aria-hidden size={14} />
      {label}
    </button>
  ) : (
    <button
      type="button"
      className="icon-button small"
      aria-label={label}
      title={t("chat.copy")}
      onClick={() => copy(text)}
    >
      <Icon aria-hidden size={15} />
    </button>
  );
}
