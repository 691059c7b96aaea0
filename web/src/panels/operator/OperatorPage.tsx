/** The operator's page: the installation, recent turns, usage, pending approvals, audit and evaluations. */

import {
  Activity,
  ChartColumn,
  ClipboardCheck,
  Gauge,
  Hourglass,
  type LucideIcon,
  ScrollText,
} from "lucide-react";
import type { ComponentType } from "react";
import { useSearchParams } from "wouter";
import { Header } from "../../shell/Header";
import { AuditView } from "./AuditView";
import { EvaluationsView } from "./EvaluationsView";
import { OverviewView } from "./OverviewView";
import { t } from "./strings";
import { TurnsView } from "./TurnsView";
import { UsageView } from "./UsageView";
import { WaitingView } from "./WaitingView";
import "./operator.css";

type View = "overview" | "turns" | "usage" | "waiting" | "audit" | "evaluations";

const VIEWS: { view: View; icon: LucideIcon; page: ComponentType }[] = [
  { view: "overview", icon: Gauge, page: OverviewView },
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
    <div className="page" data-panel="operator">
      <Header title={t("title")} />
      <div className="panel-page operator">
        <p className="lead">{t("lead")}</p>
        <fieldset className="filters" aria-label={t("views")}>
          {VIEWS.map(({ view: each, icon: Icon }) => (
            <button
              key={each}
              type="button"
              className="filter with-icon"
              aria-pressed={view === each}
              onClick={() => setSearch({ view: each })}
            >
              <Icon aria-hidden size={15} />
              {t(each)}
            </button>
          ))}
        </fieldset>
        <Page />
      </div>
    </div>
  );
}
