/** For those who watch over the server: recent turns step by step, usage, what waits, audit and evaluations. */

import { Activity, ChartColumn, ClipboardCheck, Hourglass, type LucideIcon, ScrollText } from "lucide-react";
import type { ComponentType } from "react";
import { useSearchParams } from "wouter";
import { Header } from "../../shell/Header";
import { AuditView } from "./AuditView";
import { EvaluationsView } from "./EvaluationsView";
import { TurnsView } from "./TurnsView";
import { UsageView } from "./UsageView";
import { WaitingView } from "./WaitingView";
import { w } from "./words";
import "./operator.css";

type View = "turns" | "usage" | "waiting" | "audit" | "evaluations";

const VIEWS: { view: View; icon: LucideIcon; page: ComponentType }[] = [
  { view: "turns", icon: Activity, page: TurnsView },
  { view: "usage", icon: ChartColumn, page: UsageView },
  { view: "waiting", icon: Hourglass, page: WaitingView },
  { view: "audit", icon: ScrollText, page: AuditView },
  { view: "evaluations", icon: ClipboardCheck, page: EvaluationsView },
];

export default function OperatorPage() {
  const [search, setSearch] = useSearchParams();
  const chosen = VIEWS.find((each) => each.view === search.get("view")) ?? VIEWS[0];
  if (!chosen) return null;
  const { view, page: Page } = chosen;
  return (
    <div className="page">
      <Header title={w("title")} />
      <div className="panel-page operator">
        <p className="lead">{w("lead")}</p>
        <fieldset className="filters" aria-label={w("views")}>
          {VIEWS.map(({ view: each, icon: Icon }) => (
            <button
              key={each}
              type="button"
              className="filter with-icon"
              aria-pressed={view === each}
              onClick={() => setSearch({ view: each })}
            >
              <Icon aria-hidden size={15} />
              {w(each)}
            </button>
          ))}
        </fieldset>
        <Page />
      </div>
    </div>
  );
}
