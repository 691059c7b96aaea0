/** Copying a document and saving it as a file. */

import { Check, Copy, Download } from "lucide-react";
import { request } from "../../api/client";
import type { ArtifactEntry } from "../../api/types";
import { t } from "../../i18n";
import { Menu, MenuItem } from "../../ui/Menu";
import { useCopy } from "../../ui/useCopy";
import { w } from "./words";

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
        {copied ? w("copied") : w("copy")}
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
        <MenuItem onSelect={() => save("docx")}>{w("word")}</MenuItem>
        <MenuItem onSelect={() => save("md")}>{w("markdown")}</MenuItem>
      </Menu>
    </>
  );
}
