/** Copies a document or saves it as a file. */

import { Check, Copy, Download } from "lucide-react";
import { request } from "../../api/client";
import type { ArtifactEntry } from "../../api/types";
import { Menu, MenuItem } from "../../ui/Menu";
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
  const save = async (ending: "md" | "docx") => {
    const response = await request(`/conversations/${conversation}/artifacts/${entry.id}.${ending}`);
    const url = URL.createObjectURL(await response.blob());
    const link = Object.assign(document.createElement("a"), { href: url, download: `${title}.${ending}` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  };
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
