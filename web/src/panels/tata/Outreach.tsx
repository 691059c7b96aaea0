/** Eighteen outreach texts: three kinds in six forms, one language at a time. */

import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { useCopy } from "../../ui/useCopy";
import { w } from "./words";

const KINDS = ["short_direct", "value_proposition", "call_to_action"] as const;
const FORMS = [
  ["en", "English"],
  ["sv", "Svenska"],
  ["da", "Dansk"],
  ["no", "Norsk"],
  ["de_du", "Deutsch (du)"],
  ["de_sie", "Deutsch (Sie)"],
] as const;

type Texts = Partial<Record<(typeof KINDS)[number], Partial<Record<string, string>>>>;

export function Outreach({ content }: { content: unknown }) {
  const texts = content as Texts;
  const [form, setForm] = useState<string>("en");
  const count = KINDS.reduce((sum, kind) => sum + Object.keys(texts[kind] ?? {}).length, 0);
  return (
    <div className="outreach">
      <p className="muted">{w("texts", { count })}</p>
      <div className="filters" role="tablist" aria-label={w("language")}>
        {FORMS.map(([code, name]) => (
          <button
            key={code}
            type="button"
            role="tab"
            lang={code.slice(0, 2)}
            aria-selected={form === code}
            className="filter"
            onClick={() => setForm(code)}
          >
            {name}
          </button>
        ))}
      </div>
      {KINDS.map((kind) => (
        <Message key={kind} title={w(kind)} text={texts[kind]?.[form] ?? ""} language={form.slice(0, 2)} />
      ))}
    </div>
  );
}

function Message({ title, text, language }: { title: string; text: string; language: string }) {
  const { copied, copy } = useCopy();
  return (
    <article className="card message">
      <header>
        <h3>{title}</h3>
        <button
          type="button"
          className="button small"
          aria-label={`${copied ? w("copied") : w("copy")}: ${title}`}
          onClick={() => copy(text)}
        >
          {copied ? <Check aria-hidden size={14} /> : <Copy aria-hidden size={14} />}
          {copied ? w("copied") : w("copy")}
        </button>
      </header>
      <p lang={language}>{text}</p>
    </article>
  );
}
