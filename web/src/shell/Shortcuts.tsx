/** The sheet of keyboard shortcuts. */

import { type Key, t } from "../i18n";
import { Dialog } from "../ui/Dialog";

const SHORTCUTS: [Key, string[]][] = [
  ["keys.palette", ["Ctrl", "K"]],
  ["keys.newChat", ["Ctrl", "Shift", "O"]],
  ["keys.sidebar", ["Ctrl", "B"]],
  ["keys.send", ["Enter"]],
  ["keys.line", ["Shift", "Enter"]],
  ["keys.editLast", ["↑"]],
  ["keys.forms", ["/"]],
  ["keys.sheet", ["?"]],
];

export default function Shortcuts({ onClose }: { onClose: () => void }) {
  const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
  return (
    <Dialog title={t("keys.title")} onClose={onClose}>
      <dl className="shortcuts">
        {SHORTCUTS.map(([key, keys]) => (
          <div key={key}>
            <dt>{t(key)}</dt>
            <dd>
              {keys.map((name) => (
                <kbd key={name}>{name === "Ctrl" && isMac ? "⌘" : name}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
