/** The recorded facts, each with its quote; facts can be corrected here. */

import { Pencil } from "lucide-react";
import { useState } from "react";
import { useSession } from "../../api/session";
import type { Chat } from "../../chat/chat";
import { Dialog } from "../../ui/Dialog";
import type { Fact, View } from "./api";
import type { Act } from "./DecisionAside";
import { translateNames, translateSentence } from "./serverSentences";
import { t } from "./strings";

interface Props {
  view: View;
  idle: boolean;
  act: Act;
  chat: Chat;
}

export function FactsView({ view, idle, act, chat }: Props) {
  const [editing, setEditing] = useState<Fact | null>(null);
  const me = useSession()?.me.id;
  return (
    <>
      {view.groups.length === 0 && (
        <section className="empty">
          <h3>{t("noFacts")}</h3>
          <p className="muted">{t("noFactsHint")}</p>
        </section>
      )}
      {view.groups.map(({ group, facts }) => (
        <section key={group} className="fact-group">
          <h3>{t(group)}</h3>
          <ul>
            {facts.map((fact) => (
              <li key={fact.key} className="fact" data-confidence={fact.confidence}>
                <div>
                  <p className="fact-label">{t(`label_${fact.key}`)}</p>
                  <p className="fact-value">{translateNames(translateSentence(fact.value))}</p>
                  <p className="fact-quote">
                    {t("said", { quote: fact.quote })}
                    {fact.said_by && fact.said_by.id !== me && ` ${fact.said_by.name}`}
                    {fact.confidence !== "high" && <span className="pill warn">{t(fact.confidence)}</span>}
                  </p>
                  {(fact.earlier ?? []).map((earlier) => (
                    <p key={earlier.at} className="fact-quote">
                      {t("before", { value: translateNames(translateSentence(earlier.value)) })}
                    </p>
                  ))}
                </div>
                <button
                  type="button"
                  className="icon-button small"
                  aria-label={t("edit", { label: t(`label_${fact.key}`) })}
                  disabled={!idle}
                  onClick={() => setEditing(fact)}
                >
                  <Pencil aria-hidden size={15} />
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {view.next_questions.length > 0 && (
        <section className="fact-group">
          <h3>{t("askNext")}</h3>
          {view.next_questions.map((question) => (
            <div key={question.key} className="fact-question">
              <p>{t(`ask_${question.key}`)}</p>
              <p className="chips">
                {question.chips.map((chip) => (
                  <button
                    key={chip}
                    type="button"
                    className="filter"
                    disabled={!idle}
                    onClick={() => chat.send({ content: chip })}
                  >
                    {chip}
                  </button>
                ))}
              </p>
            </div>
          ))}
        </section>
      )}
      {editing && (
        <EditDialog
          fact={editing}
          onClose={() => setEditing(null)}
          onSave={(value) => {
            const title = `${t(`label_${editing.key}`)}: ${value}`;
            act("record_facts", title, { facts: [{ key: editing.key, value, quote: value }] });
            setEditing(null);
          }}
        />
      )}
    </>
  );
}

interface EditProps {
  fact: Fact;
  onClose: () => void;
  onSave: (value: string) => void;
}

const LONGEST = 300;

function EditDialog({ fact, onClose, onSave }: EditProps) {
  const [value, setValue] = useState(fact.value);
  return (
    <Dialog title={t("editTitle", { label: t(`label_${fact.key}`) })} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (value.trim()) onSave(value.trim());
        }}
      >
        <label className="field">
          <span>{t("value")}</span>
          <input value={value} maxLength={LONGEST} onChange={(event) => setValue(event.target.value)} />
        </label>
        <p className="muted">{t("said", { quote: fact.quote })}</p>
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {t("app.cancel")}
          </button>
          <button type="submit" className="button primary" disabled={!value.trim()}>
            {t("save")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
