/** One form field: label, control and error. */

import { useId, useState } from "react";
import { asApiError } from "../api/client";
import type { FileRef } from "../api/types";
import { checkFile, shrink } from "../chat/attachments";
import { t } from "../i18n";
import { choiceName } from "../lib/serverNames";
import { FilePicker } from "../ui/FilePicker";
import type { Field } from "./schema";

interface FieldProps {
  field: Field;
  first?: boolean;
  text: string;
  problem: string | null;
  onChange: (text: string) => void;
  /** Uploads a file and resolves with its id. */
  onFile: (file: File) => Promise<FileRef>;
}

export function FieldView({ field, first = false, text, problem: wrong, onChange, onFile }: FieldProps) {
  const id = useId();
  const common = {
    id,
    "data-field": field.name,
    "aria-invalid": wrong !== null,
    "aria-describedby": `${id}-hint`,
    "aria-required": field.required,
    "data-autofocus": first || undefined,
  };
  return (
    <div className={wrong ? "field wrong" : "field"}>
      <label htmlFor={id}>
        {field.label} <small>{field.required ? t("form.required") : t("form.optional")}</small>
      </label>
      <Control field={field} text={text} onChange={onChange} onFile={onFile} common={common} />
      <p id={`${id}-hint`} className={wrong ? "problem" : "field-hint"}>
        {wrong ?? (field.kind === "list" ? `${field.hint} ${t("form.lines")}` : field.hint)}
      </p>
    </div>
  );
}

type ControlProps = Pick<FieldProps, "field" | "text" | "onChange" | "onFile"> & { common: { id: string } };

function Control({ field, text, onChange, onFile, common }: ControlProps) {
  const change = (event: { target: { value: string } }) => onChange(event.target.value);
  switch (field.kind) {
    case "choice":
    case "yes-no": {
      const choices: [string, string][] =
        field.kind === "yes-no"
          ? [
              ["true", t("tool.yes")],
              ["false", t("tool.no")],
            ]
          : field.choices.map((choice) => [String(choice), choiceName(field.name, String(choice))]);
      return (
        <select {...common} value={text} onChange={change}>
          <option value="">{t("form.choose")}</option>
          {choices.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      );
    }
    case "long":
    case "list":
    case "json":
      return <textarea {...common} rows={field.kind === "long" ? 6 : 3} value={text} onChange={change} />;
    case "number":
    case "whole":
      return <input {...common} inputMode="decimal" value={text} onChange={change} />;
    case "date":
      return <input {...common} type="date" value={text} onChange={change} />;
    case "file":
      return <FileField common={common} onChange={onChange} onFile={onFile} />;
    case "text":
      return <input {...common} value={text} onChange={change} />;
  }
}

/** A file is uploaded at once; the form carries its id. */
function FileField({ common, onChange, onFile }: Pick<ControlProps, "common" | "onChange" | "onFile">) {
  const [said, setSaid] = useState("");
  const take = async (event: React.ChangeEvent<HTMLInputElement>) => {
    const given = event.target.files?.[0];
    onChange("");
    if (!given) return setSaid("");
    const wrong = checkFile(given);
    if (wrong) return setSaid(wrong);
    setSaid(t("chat.uploading"));
    try {
      const kept = await onFile(await shrink(given));
      onChange(kept.id);
      setSaid(kept.name);
    } catch (error) {
      setSaid(t("file.rejected", { name: given.name, reason: asApiError(error).message }));
    }
  };
  return (
    <>
      <FilePicker {...common} chosen={said} onChange={take} />
      <span role="status" className="sr-only">
        {said}
      </span>
    </>
  );
}
