/** The decision beside its conversation: what was said, what it comes to, which robots, and the page to hand on. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Calculator, X } from "lucide-react";
import { useEffect, useState } from "react";
import type { Json } from "../../api/types";
import { useWide } from "../../ui/useWide";
import type { AsideProps } from "..";
import { autopilot } from "./api";
import { CaseView } from "./CaseView";
import { FactsView } from "./FactsView";
import { FiguresView } from "./FiguresView";
import { ShortlistView } from "./ShortlistView";
import { w } from "./words";
import "./autopilot.css";

const VIEWS = ["facts", "figures", "shortlist", "case"] as const;
type View = (typeof VIEWS)[number];

/** Fills in a tool's form as somebody who sees the panel; what comes of it stands in the conversation. */
export type Act = (tool: string, title: string, values: { [name: string]: Json }) => void;

export default function DecisionAside({ conversation, chat, state }: AsideProps) {
  const client = useQueryClient();
  const view = useQuery({
    queryKey: ["autopilot", conversation.id],
    queryFn: () => autopilot.view(conversation.id),
  });
  // Each turn may have found something out or moved on. A first answer that is still on its way may not know of it
  // yet, and asking again would only wait for that one.
  const { active } = state;
  const count = state.messages.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are what changes it
  useEffect(() => {
    const queryKey = ["autopilot", conversation.id];
    void client.cancelQueries({ queryKey }).then(() => client.invalidateQueries({ queryKey }));
    client.invalidateQueries({ queryKey: ["conversation", conversation.id] });
    client.invalidateQueries({ queryKey: ["artifacts", conversation.id] });
  }, [client, conversation.id, active, count]);

  const wide = useWide();
  const [open, setOpen] = useState<boolean | null>(null);
  const shown = open ?? (count > 0 && wide);
  const phase = view.data?.phase;
  const [chosen, setChosen] = useState<View | null>(null);
  // A new phase is looked at; a choice of one's own holds until then, also one made before the phase was known.
  const [seen, setSeen] = useState(phase);
  if (phase !== seen) {
    setSeen(phase);
    if (seen !== undefined) setChosen(null);
  }
  const current = chosen ?? (phase === "selection" ? "shortlist" : phase === "roi" ? "figures" : "facts");

  const act: Act = (tool, title, values) => {
    chat.send({ content: title, form: { tool, title, arguments: values } });
  };
  const idle = !active && !state.sending;

  // Whether it is open is known with the history; a tab that becomes a panel at once would be a flash.
  if (state.loading && count === 0) return null;
  if (!shown)
    return (
      <button
        type="button"
        className="aside-tab decision-tab"
        title={w("open")}
        onClick={() => setOpen(true)}
      >
        <Calculator aria-hidden size={17} />
        <span>{w("panel")}</span>
      </button>
    );
  return (
    <aside className="aside decision" aria-label={w("panel")}>
      <header className="aside-head">
        <h2>{w("panel")}</h2>
        <button type="button" className="icon-button" aria-label={w("close")} onClick={() => setOpen(false)}>
          <X aria-hidden size={18} />
        </button>
      </header>
      <fieldset className="filters decision-views" aria-label={w("panel")}>
        {VIEWS.map((each) => (
          <button
            key={each}
            type="button"
            className="filter"
            aria-pressed={each === current}
            onClick={() => setChosen(each)}
          >
            {w(each)}
            {each === "shortlist" && (view.data?.shortlist.robots.length ?? 0) > 0 && (
              <span className="muted"> {view.data?.shortlist.robots.length}</span>
            )}
          </button>
        ))}
      </fieldset>
      {view.data && (
        <div className="decision-body">
          {current === "facts" && <FactsView view={view.data} idle={idle} act={act} chat={chat} />}
          {current === "figures" && (
            <FiguresView key={JSON.stringify(view.data.roi)} view={view.data} idle={idle} act={act} />
          )}
          {current === "shortlist" && <ShortlistView view={view.data} idle={idle} act={act} />}
          {current === "case" && (
            <CaseView conversation={conversation.id} view={view.data} idle={idle} act={act} />
          )}
        </div>
      )}
    </aside>
  );
}
