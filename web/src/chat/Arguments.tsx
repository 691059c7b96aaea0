import type { Json } from "../api/types";
import { t } from "../i18n";
import { fieldName } from "../lib/serverNames";

/** The arguments of a call, exactly, as a list of names and values. */
export function Arguments({ value }: { value: Json }) {
  const entries = value && typeof value === "object" && !Array.isArray(value) ? Object.entries(value) : [];
  if (entries.length === 0) return <p className="muted">{t("tool.noArguments")}</p>;
  return (
    <dl className="arguments">
      {entries.map(([name, given]) => (
        <div key={name}>
          <dt>{fieldName(name)}</dt>
          <dd>{show(given)}</dd>
        </div>
      ))}
    </dl>
  );
}

function show(value: Json): string {
  if (value === null) return "–";
  if (typeof value === "boolean") return value ? t("tool.yes") : t("tool.no");
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((each) => typeof each !== "object")) return value.join(", ");
  return JSON.stringify(value, null, 2);
}
