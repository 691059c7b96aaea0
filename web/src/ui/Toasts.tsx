import { X } from "lucide-react";
import { t } from "../i18n";
import { hideToast, holdToasts, runToastAction, useToasts } from "./toasts";

export function Toasts() {
  const toasts = useToasts();
  return (
    <div
      className="toasts"
      role="status"
      onPointerEnter={() => holdToasts(true)}
      onPointerLeave={() => holdToasts(false)}
      onFocus={() => holdToasts(true)}
      onBlur={() => holdToasts(false)}
    >
      {toasts.map(({ id, text, action }) => (
        <div key={id} className="toast">
          <span className="grow">{text}</span>
          {action && (
            <button type="button" className="button small" onClick={() => runToastAction(id)}>
              {action.label}
            </button>
          )}
          <button
            type="button"
            className="icon-button small"
            aria-label={t("app.close")}
            onClick={() => hideToast(id)}
          >
            <X aria-hidden size={15} />
          </button>
        </div>
      ))}
    </div>
  );
}
