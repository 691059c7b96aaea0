/** An approval request: its object as it is now, exactly what will run, where the values came from, when it
 * expires, and two buttons, with focus on the harmless one. Requesters may edit the fields before they confirm. */

import { Check, Clock, ShieldAlert, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { api, asApiError } from "../api/client";
import { useSession } from "../api/session";
import type { ApprovalCard as Card, Id, Json } from "../api/types";
import { cardFields, editedArguments, fieldProblems, filledFrom } from "../forms/cardForm";
import { FieldView } from "../forms/FieldView";
import { type Field, type FieldValues, problem as problemOf } from "../forms/schema";
import { currentLanguage, t } from "../i18n";
import { fieldName, roleNames, toolName } from "../lib/serverNames";
import { countdown } from "../lib/time";
import { Problem } from "../ui/Problem";
import { useNow } from "../ui/useNow";
import { Arguments } from "./Arguments";
import { PreviewFacts, usePreview } from "./CardPreview";
import { cardTitle, confirmWords, consequenceWords, declineWords, originWords } from "./cardWords";

export type Decision = "approve" | "reject";
export type EditedArguments = { [name: string]: Json };

interface Props {
  card: Card;
  /** Conversation that receives the form's files. */
  conversation: Id;
  turn: Id;
  /** `edited` is set only if the arguments were changed. */
  onDecide: (decision: Decision, reason: string, edited?: EditedArguments) => Promise<void>;
  /** Focus the card when it appears. */
  focus?: boolean;
}

const LONGEST_REASON = 500;

export function ApprovalCard({ card, conversation, turn, onDecide, focus = false }: Props) {
  const me = useSession()?.me;
  const expires = new Date(card.expires_at).getTime();
  const now = useNow(expires);
  const [reason, setReason] = useState("");
  const mine = me?.id === card.requested_by;
  const mayDecide =
    card.approvers.length === 0 ? mine : card.approvers.some((role) => me?.roles.includes(role));
  const expired = now >= expires;
  const editable = card.editable && mine;
  const kicker = mine && mayDecide ? t("approval.check") : t("approval.title");
  const form = useCardForm(card);
  const loaded = usePreview(card, conversation, turn, mayDecide && !expired);
  // The facts belong to the requested object, not to another one that was typed in since.
  const { target } = card;
  const sameObject = !target || !editable || (form.filled[target.argument] ?? "") === target.value;
  const edited = sameObject ? undefined : form.edited();
  const title = edited
    ? cardTitle({ ...card, title: toolName(card.tool), arguments: edited }, null)
    : cardTitle(card, loaded.preview);
  const { deciding, problem, decide } = useDecision(onDecide, form);

  return (
    <section className="approval" aria-label={`${kicker}: ${title}`}>
      <header>
        <ShieldAlert aria-hidden size={18} />
        <span className="approval-kicker">{kicker}</span>
        {!expired && (
          <span className="approval-time">
            <Clock aria-hidden size={14} />
            {t("approval.expires", { time: countdown(expires - now) })}
          </span>
        )}
      </header>
      <h3>{title}</h3>
      {editable ? (
        <p className="muted">{t("approval.checkHint")}</p>
      ) : (
        <p className="muted">{mine ? t("approval.you") : t("approval.asks", { name: card.requester })}</p>
      )}
      {card.preview && mayDecide && !expired && sameObject && <PreviewFacts {...loaded} />}
      {editable && !expired && form.list.length > 0 ? (
        <CardFields form={form} conversation={conversation} />
      ) : (
        <Arguments value={card.arguments} />
      )}
      <Origins card={card} />
      <p className="approval-consequence">
        {consequenceWords(card)} {t("approval.consequence")}
      </p>
      {expired ? (
        <p className="problem">{t("approval.expired")}</p>
      ) : mayDecide ? (
        <>
          {!editable && <ReasonField reason={reason} onChange={setReason} />}
          <Actions
            focus={focus}
            disabled={deciding}
            reject={declineWords(card)}
            approve={confirmWords(card)}
            look={card.destructive ? "danger" : "primary"}
            onDecide={(decision) => decide(decision, reason.trim())}
          />
        </>
      ) : (
        <p className="approval-wait">{t("approval.others", { roles: roleNames(card.approvers) })}</p>
      )}
      <Problem>{problem}</Problem>
    </section>
  );
}

/** The origin of values that the person did not just type. */
function Origins({ card }: { card: Card }) {
  if (!card.origins || card.origins.length === 0) return null;
  return (
    <ul className="approval-origins muted">
      {card.origins.map(({ argument, source }) => (
        <li key={argument}>
          {fieldName(argument)}: {originWords(source)}
        </li>
      ))}
    </ul>
  );
}

interface CardForm {
  list: Field[];
  filled: FieldValues;
  wrong: Map<string, string>;
  change: (name: string, text: string) => void;
  /** Shows field errors; returns `false` if there are none. */
  check: () => boolean;
  refused: (problems: Map<string, string>) => void;
  edited: () => EditedArguments | undefined;
}

function useCardForm(card: Card): CardForm {
  const list = cardFields(card.form ?? []);
  const [filled, setFilled] = useState<FieldValues>(() => filledFrom(list, card.arguments));
  const [wrong, setWrong] = useState<Map<string, string>>(new Map());
  return {
    list,
    filled,
    wrong,
    change: (name, text) => {
      setFilled((before) => ({ ...before, [name]: text }));
      setWrong((before) => new Map([...before].filter(([field]) => field !== name)));
    },
    check: () => {
      const found = list.flatMap((field): [string, string][] => {
        const problem = problemOf(field, filled[field.name] ?? "");
        return problem ? [[field.name, problem]] : [];
      });
      setWrong(new Map(found));
      return found.length > 0;
    },
    refused: (problems) => {
      const said = [...problems].map(([field, problem]): [string, string] => [
        field,
        // The server's message is in English.
        currentLanguage() === "en" ? problem : t("form.pattern"),
      ]);
      setWrong(new Map(said));
    },
    edited: () => editedArguments(card, list, filled),
  };
}

function useDecision(onDecide: Props["onDecide"], form: CardForm) {
  const [problem, setProblem] = useState<string | null>(null);
  const [deciding, setDeciding] = useState(false);
  const decide = async (decision: Decision, reason: string) => {
    if (deciding) return;
    setProblem(null);
    const approves = decision === "approve";
    if (approves && form.check()) {
      setProblem(t("approval.incomplete"));
      return;
    }
    setDeciding(true);
    try {
      await onDecide(decision, reason, approves ? form.edited() : undefined);
    } catch (thrown) {
      const error = asApiError(thrown);
      const problems = error.status === 422 ? fieldProblems(error.details) : new Map();
      form.refused(problems);
      setProblem(
        problems.size > 0 ? t("approval.incomplete") : t("approval.failed", { reason: error.message }),
      );
      setDeciding(false);
    }
  };
  return { deciding, problem, decide };
}

/** No `<form>`: Enter in a field must not decide anything. */
function CardFields({ form, conversation }: { form: CardForm; conversation: Id }) {
  return (
    <div className="schema-form">
      {form.list.map((field) => (
        <FieldView
          key={field.name}
          field={field}
          text={form.filled[field.name] ?? ""}
          problem={form.wrong.get(field.name) ?? null}
          onFile={(file) => api.attach(conversation, file)}
          onChange={(text) => form.change(field.name, text)}
        />
      ))}
    </div>
  );
}

function ReasonField({ reason, onChange }: { reason: string; onChange: (reason: string) => void }) {
  return (
    <label className="field">
      <span>{t("approval.reason")}</span>
      <input
        value={reason}
        maxLength={LONGEST_REASON}
        placeholder={t("approval.reasonHint")}
        onChange={(event) => onChange(event.target.value)}
        // Enter in a text field must not decide anything.
        onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
      />
    </label>
  );
}

interface ActionsProps {
  focus: boolean;
  disabled: boolean;
  reject: string;
  approve: string;
  look: "primary" | "danger";
  onDecide: (decision: Decision) => void;
}

function Actions({ focus, disabled, reject, approve, look, onDecide }: ActionsProps) {
  const harmless = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // Do not steal focus from an input.
    const busy = document.activeElement instanceof HTMLTextAreaElement && document.activeElement.value !== "";
    if (focus && !busy) harmless.current?.focus({ preventScroll: true });
  }, [focus]);
  return (
    <div className="approval-actions">
      <button
        ref={harmless}
        type="button"
        className="button"
        disabled={disabled}
        onClick={() => onDecide("reject")}
      >
        <X aria-hidden size={16} />
        {reject}
      </button>
      <button
        type="button"
        className={`button ${look}`}
        disabled={disabled}
        onClick={() => onDecide("approve")}
      >
        <Check aria-hidden size={16} />
        {approve}
      </button>
    </div>
  );
}
