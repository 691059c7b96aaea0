import { Paperclip } from "lucide-react";
import { t } from "../i18n";

interface Props extends Omit<React.InputHTMLAttributes<HTMLInputElement>, "type"> {
  id: string;
  /** Names of the chosen files. */
  chosen: string;
}

/** A file input in the page's language; the browser's own button uses the browser's language. */
export function FilePicker({ chosen, ...props }: Props) {
  return (
    <div className="file-picker">
      <input {...props} type="file" className="sr-only" />
      <label htmlFor={props.id} className="button">
        <Paperclip aria-hidden size={15} />
        {t(props.multiple ? "file.chooseMany" : "file.choose")}
      </label>
      <span className="file-chosen muted" aria-hidden>
        {chosen || t("file.none")}
      </span>
    </div>
  );
}
