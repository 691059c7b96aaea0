/** The objects of a result: one as a card, several as a list. */

import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import type { CardField, ObjectCard } from "../api/types";
import { locale, serverText, t } from "../i18n";
import { choiceName, fieldName } from "../lib/serverNames";
import { moment } from "../lib/time";

/** Shown before "more". */
const SHOWN = 6;
/** Fields in a row of a list; a card has all. */
const ROW_FIELDS = 4;

interface Props {
  cards: ObjectCard[];
  /** Sends the message of a button; absent while the assistant answers. */
  onSay: ((text: string) => void) | null;
}

export function ObjectCards({ cards, onSay }: Props) {
  const [all, setAll] = useState(false);
  const shown = all ? cards : cards.slice(0, SHOWN);
  const single = cards.length === 1;
  return (
    <div className="objects">
      <ul className={single ? "objects-one" : "objects-many"}>
        {shown.map((card) => (
          <li key={`${card.kind}-${card.id}`} className="object" data-kind={card.kind}>
            <Head card={card} />
            <Fields fields={single ? (card.fields ?? []) : (card.fields ?? []).slice(0, ROW_FIELDS)} />
            {(single || card.status === "pending") && (card.actions ?? []).length > 0 && (
              <p className="object-actions">
                {(card.actions ?? []).map((action) => (
                  <button
                    key={action.name}
                    type="button"
                    className="button small"
                    disabled={!onSay}
                    onClick={() => onSay?.(action.say)}
                  >
                    {serverText(`action.${action.name}`, action.label)}
                    {!single && <span className="sr-only">: {card.title}</span>}
                  </button>
                ))}
              </p>
            )}
          </li>
        ))}
      </ul>
      {shown.length < cards.length && (
        <button type="button" className="button small" onClick={() => setAll(true)}>
          {t("card.more", { count: cards.length - shown.length })}
        </button>
      )}
    </div>
  );
}

function Head({ card }: { card: ObjectCard }) {
  return (
    <p className="object-head">
      {card.path ? (
        <Link href={card.path} className="object-title">
          {card.title}
          <ChevronRight aria-hidden size={14} />
        </Link>
      ) : (
        <strong className="object-title">{card.title}</strong>
      )}
      {card.status && (
        <span className="status-pill" data-status={card.status}>
          {choiceName("status", card.status)}
        </span>
      )}
    </p>
  );
}

function Fields({ fields }: { fields: CardField[] }) {
  return (
    <dl className="object-fields">
      {fields.map((field) => (
        <div key={field.name}>
          <dt>{fieldName(field.name, field.label)}</dt>
          <dd>{valueWords(field)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A value in the reader's language and time zone. */
function valueWords({ name, value }: CardField): string {
  const number = (amount: number, options: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(locale(), options).format(amount);
  switch (value.type) {
    case "text":
      return value.value;
    case "choice":
      return choiceName(name, value.value);
    case "number":
      return number(value.value, { maximumFractionDigits: 1 });
    case "money": {
      const { amount, currency } = value.value;
      return number(amount, { style: "currency", currency, maximumFractionDigits: 0 });
    }
    case "yes_no":
      return t(value.value ? "tool.yes" : "tool.no");
    case "instant":
      return moment(value.value);
  }
}
