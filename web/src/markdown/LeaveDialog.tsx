/** Asks before following a link in an answer, and shows its full address. */

import { useSyncExternalStore } from "react";
import { t } from "../i18n";
import { Dialog } from "../ui/Dialog";

let wanted: string | null = null;
const listeners = new Set<() => void>();

function change(url: string | null) {
  wanted = url;
  for (const listener of listeners) listener();
}

export const askToLeave = (url: string): void => change(url);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function LeaveDialog() {
  const url = useSyncExternalStore(subscribe, () => wanted);
  if (!url) return null;
  const close = () => change(null);
  return (
    <Dialog title={t("link.title")} onClose={close}>
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
