/** A tool as a form: the same checks as for a model call. */

import { useState } from "react";
import type { FileRef, Json, ToolSpec } from "../api/types";
import { t } from "../i18n";
import { aboutTool } from "../lib/serverNames";
import { Dialog } from "../ui/Dialog";
import { FieldView } from "./FieldView";
import { toolTitle } from "./FormMenu";
import { type FieldValues, fields, problem, toArguments } from "./schema";

interface Props {
  tool: ToolSpec;
  onSubmit: (values: { [name: string]: Json }) => void;
  onClose: () => void;
  /** Uploads a file and resolves with its id. */
  onFile: (file: File) => Promise<FileRef>;
}

export function FormDialog({ tool, onSubmit, onClose, onFile }: Props) {
  const list = fields(tool.function.parameters, tool.handles);
  const [filled, setFilled] = useState<FieldValues>({});
  const [checked, setChecked] = useState(false);
  const problems = new Map(list.map((field) => [field.name, problem(field, filled[field.name] ?? "")]));
  const wrong = [...problems.values()].filter(Boolean).length;

  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setChecked(true);
    if (wrong === 0) {
      onSubmit(toArguments(list, filled));
      return;
    }
    const first = list.find((field) => problems.get(field.name));
    event.currentTarget
      .querySelector<HTMLElement>(`[data-field="${CSS.escape(first?.name ?? "")}"]`)
      ?.focus();
  };

  return (
    <Dialog title={toolTitle(tool)} onClose={onClose} className="form-dialog">
      <p className="muted">{aboutTool(tool.function.name, tool.function.description)}</p>
      <form onSubmit={submit} noValidate className="schema-form">
        {list.map((field, index) => (
          <FieldView
            key={field.name}
            field={field}
            first={index === 0}
            text={filled[field.name] ?? ""}
            problem={checked ? (problems.get(field.name) ?? null) : null}
            onFile={onFile}
            onChange={(text) => setFilled((before) => ({ ...before, [field.name]: text }))}
          />
        ))}
        {checked && wrong > 0 && (
          <p className="problem" role="alert">
            {t("form.fix", { count: wrong })}
          </p>
        )}
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {t("app.cancel")}
          </button>
          <button type="submit" className="button primary">
            {t("form.run")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
