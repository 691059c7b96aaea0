import { t } from "../i18n";
import { showToast } from "./toasts";

/** How long the browser may take to read the file, in milliseconds. */
const READ_WITHIN = 10_000;

/** Saves what is loaded as a file, or says that it did not work. */
export async function saveFile(name: string, load: () => Promise<Blob>): Promise<void> {
  try {
    const href = URL.createObjectURL(await load());
    const download = name.replaceAll(/[\\/:*?"<>|]/g, " ");
    Object.assign(document.createElement("a"), { href, download }).click();
    setTimeout(() => URL.revokeObjectURL(href), READ_WITHIN);
  } catch {
    showToast(t("toast.failed"));
  }
}
