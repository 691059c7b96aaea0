/** A modal dialog: the browser's own element keeps focus inside, closes on Escape and gives focus back. */

import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { t } from "../i18n";

interface Props {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Cannot be dismissed. */
  insistent?: boolean;
  className?: string;
}

export function Dialog({ title, onClose, children, insistent = false, className = "" }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    // Focus the dialog's purpose, not its close button.
    const field = element?.querySelector<HTMLElement>(
      "[data-autofocus], .dialog-body input, .dialog-actions button",
    );
    field?.focus();
    return () => {
      element?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is handled by the element itself
    <dialog
      ref={dialog}
      className={`dialog ${className}`}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        if (!insistent) onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current && !insistent) onClose();
      }}
    >
      <div className="dialog-body">
        <header className="dialog-head">
          <h2 id={heading}>{title}</h2>
          {!insistent && (
            <button type="button" className="icon-button" aria-label={t("app.close")} onClick={onClose}>
              <X aria-hidden size={18} />
            </button>
          )}
        </header>
        {children}
      </div>
    </dialog>
  );
}
