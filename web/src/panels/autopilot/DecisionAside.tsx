/** The decision beside its conversation: facts, figures, shortlist and business case. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Calculator, X } from "lucide-react";
import { useEffect, useState } from "react";
import type { Json } from "../../api/types";
import { onOpenDocument } from "../../lib/openDocument";
import { useWide } from "../../ui/useWide";
import type { AsideProps } from "../panel";
import { autopilot } from "./api";
import { CaseView } from "./CaseView";
import { FactsView } from "./FactsView";
import { FiguresView } from "./FiguresView";
import { ShortlistView } from "./ShortlistView";
import { t } from "./strings";
import "./autopilot.css";

const VIEWS = ["facts", "figures", "shortlist", "case"] as const;
type View = (typeof VIEWS)[number];

/** Runs a tool as the person; the result appears in the conversation. */
export type Act = (tool: string, title: string, values: { [name: string]: Json }) => void;

export default function DecisionAside({ conversation, chat, state }: AsideProps) {
  const client = useQueryClient();
  const view = useQuery({
    queryKey: ["autopilot", conversation.id],
    queryFn: () => autopilot.view(conversation.id),
  });
  // Each turn may change facts or the phase. A running first request may predate that,
  // and invalidating would only wait for it.
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
  // Show the view of a new phase; a manual choice holds until the phase changes, even one made before it was loaded.
  const [seen, setSeen] = useState(phase);
  if (phase !== seen) {
    setSeen(phase);
    if (seen !== undefined) setChosen(null);
  }
  // A chip in the conversation opens the business case.
  useEffect(
    () =>
      onOpenDocument(() => {
        setOpen(true);
        setChosen("case");
      }),
    [],
  );
  const current = chosen ?? (phase === "selection" ? "shortlist" : phase === "roi" ? "figures" : "facts");

  const act: Act = (tool, title, values) => {
    chat.send({ content: title, form: { tool, title, arguments: values } });
  };
  const idle = !active && !state.sending;

  // Wait for the history before deciding whether the panel is open, so that the tab does not flash.
  if (state.loading && count === 0) return null;
  if (!shown)
    return (
      <button
        type="button"
        className="aside-tab decision-tab"
        data-panel="autopilot"
        title={t("open")}
        onClick={() => setOpen(true)}
      >
        <Calculator aria-hidden size={17} />
        <span>{t("panel")}</span>
      </button>
    );
  return (
    <aside className="aside decision" data-panel="autopilot" aria-label={t("panel")}>
      <header className="aside-head">
        <h2>{t("panel")}</h2>
        <button type="button" className="icon-button" aria-label={t("close")} onClick={() => setOpen(false)}>
          <X aria-hidden size={18} />
        </button>
      </header>
      <fieldset className="filters decision-views" aria-label={t("panel")}>
        {VIEWS.map((each) => (
          <button
            key={each}
            type="button"
            className="filter"
            aria-pressed={each === current}
            onClick={() => setChosen(each)}
          >
            {t(each)}
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
