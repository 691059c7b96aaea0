/** Asks before following a link in an answer, and shows its full address. */

import { t } from "../i18n";
import { BRAND_NAME } from "../lib/brand";
import { createSignal, useSignal } from "../lib/signal";
import { Dialog } from "../ui/Dialog";

let wanted: string | null = null;
const asked = createSignal();

function change(url: string | null) {
  wanted = url;
  asked.emit();
}

export const askToLeave = (url: string): void => change(url);

export function LeaveDialog() {
  const url = useSignal(asked, () => wanted);
  if (!url) return null;
  const close = () => change(null);
  return (
    <Dialog title={t("link.title", { brand: BRAND_NAME })} onClose={close}>
      <p>{t("link.body")}</p>
      <p className="address">{url}</p>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={close}>
          {t("app.cancel")}
        </button>
        <a
          className="button primary"
          href={url}
          target="_blank"
          rel="noopener noreferrer nofollow"
          onClick={close}
        >
          {t("link.go")}
        </a>
      </div>
    </Dialog>
  );
}
