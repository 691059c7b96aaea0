/** The colleagues who have a shared conversation open. */

import type { Conversation } from "../api/types";
import { locale, t } from "../i18n";
import { Initials } from "../shell/AccountMenu";
import { usePresence } from "./usePresence";

/** Initials shown; the words name everyone. */
const FEW = 3;

export function Present({ conversation }: { conversation: Conversation }) {
  const names = usePresence(conversation);
  const words = t("chat.present", {
    names: new Intl.ListFormat(locale()).format(names),
    count: names.length,
  });
  return (
    <p className="present" role="status" title={names.length ? words : undefined}>
      {names.length > 0 && <span className="sr-only">{words}</span>}
      {names.slice(0, FEW).map((name) => (
        <Initials key={name} name={name} />
      ))}
    </p>
  );
}
