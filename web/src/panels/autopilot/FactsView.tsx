/** What was said, each with the words it came from. A wrong one is put right here. */

import { Pencil } from "lucide-react";
import { useState } from "react";
import type { Chat } from "../../chat/chat";
import { t } from "../../i18n";
import { Dialog } from "../../ui/Dialog";
import type { Fact, View } from "./api";
import type { Act } from "./DecisionAside";
import { named, said } from "./spoken";
import { w } from "./words";

interface Props {
  view: View;
  idle: boolean;
  act: Act;
  chat: Chat;
}

export function FactsView({ view, idle, act, chat }: Props) {
  const [editing, setEditing] = useState<Fact | null>(null);
  return (
    <>
      {view.groups.length === 0 && (
        <section className="empty">
          <h3>{w("noFacts")}</h3>
          <p className="muted">{w("noFactsHint")}</p>
        </section>
      )}
      {view.groups.map(({ group, facts }) => (
        <section key={group} className="fact-group">
          <h3>{w(group)}</h3>
          <ul>
            {facts.map((fact) => (
              <li key={fact.key} className="fact" data-confidence={fact.confidence}>
                <div>
                  <p className="fact-label">{w(`label_${fact.key}`)}</p>
                  <p className="fact-value">{named(said(fact.value))}</p>
                  <p className="fact-quote">
                    {w("said", { quote: fact.quote })}
                    {fact.confidence !== "high" && <span className="pill warn">{w(fact.confidence)}</span>}
                  </p>
                  {(fact.earlier ?? []).map((earlier) => (
                    <p key={earlier.at} className="fact-quote">
                      {w("before", { value: named(said(earlier.value)) })}
                    </p>
                  ))}
                </div>
                <button
                  type="button"
                  className="icon-button small"
                  aria-label={w("edit", { label: w(`label_${fact.key}`) })}
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
          <h3>{w("askNext")}</h3>
          {view.next_questions.map((question) => (
            <div key={question.key} className="fact-question">
              <p>{w(`ask_${question.key}`)}</p>
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
            const title = `${w(`label_${editing.key}`)}: ${value}`;
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
    <Dialog title={w("editTitle", { label: w(`label_${fact.key}`) })} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (value.trim()) onSave(value.trim());
        }}
      >
        <label className="field">
          <span>{w("value")}</span>
          <input value={value} maxLength={LONGEST} onChange={(event) => setValue(event.target.value)} />
        </label>
        <p className="muted">{w("said", { quote: fact.quote })}</p>
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {t("app.cancel")}
          </button>
          <button type="submit" className="button primary" disabled={!value.trim()}>
            {w("save")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
