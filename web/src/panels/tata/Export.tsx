/** Copies a document or saves it as a file. */

import { Check, Copy, Download } from "lucide-react";
import { api } from "../../api/client";
import type { ArtifactEntry } from "../../api/types";
import { Menu, MenuItem } from "../../ui/Menu";
import { saveFile } from "../../ui/saveFile";
import { useCopy } from "../../ui/useCopy";
import { t } from "./strings";

interface Props {
  conversation: string;
  entry: ArtifactEntry;
  title: string;
  text: string | undefined;
}

export function Export({ conversation, entry, title, text }: Props) {
  const { copied, copy } = useCopy();
  const save = (ending: "md" | "docx") =>
    saveFile(`${title}.${ending}`, () => api.artifactFile(conversation, entry.id, ending));
  return (
    <>
      <button
        type="button"
        className="button small"
        disabled={text === undefined}
        onClick={() => copy(text ?? "")}
      >
        {copied ? <Check aria-hidden size={14} /> : <Copy aria-hidden size={14} />}
        {copied ? t("copied") : t("copy")}
      </button>
      <Menu
        triggerClass="button small"
        trigger={
          <>
            <Download aria-hidden size={14} />
            {t("file.download")}
          </>
        }
      >
        <MenuItem onSelect={() => save("docx")}>{t("word")}</MenuItem>
        <MenuItem onSelect={() => save("md")}>{t("markdown")}</MenuItem>
      </Menu>
    </>
  );
}
