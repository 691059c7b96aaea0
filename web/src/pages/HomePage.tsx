/** The start page: the assistants this person may use. */

import { useQuery } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import { Link, Redirect } from "wouter";
import { useSession } from "../api/session";
import { t } from "../i18n";
import { appearanceOf } from "../lib/assistants";
import { aboutAssistant, assistantName, roleNames } from "../lib/serverNames";
import { Header } from "../shell/Header";
import { assistantsQuery } from "../shell/queries";

export function HomePage() {
  const me = useSession()?.me;
  const { data: assistants } = useQuery(assistantsQuery);
  const only = assistants?.length === 1 ? assistants[0] : undefined;
  if (only) return <Redirect to={`/a/${only.name}`} replace />;
  return (
    <div className="page">
      <Header title="" />
      <div className="home">
        <h2>{t("home.hello", { name: me?.name.split(" ")[0] ?? "" })}</h2>
        {assistants?.length === 0 ? (
          <div className="empty">
            <p className="lead">{t("home.none")}</p>
            <p className="muted">{t("home.noneHint", { roles: roleNames(me?.roles ?? []) || "–" })}</p>
          </div>
        ) : (
          <>
            <p className="lead">{t("home.lead")}</p>
            <ul className="assistant-cards">
              {(assistants ?? []).map((assistant) => {
                const { icon: Icon, tint } = appearanceOf(assistant.name);
                return (
                  <li key={assistant.name}>
                    <Link href={`/a/${assistant.name}`} className="assistant-card" data-tint={tint}>
                      <span className="intro-icon" data-tint={tint} aria-hidden>
                        <Icon size={24} />
                      </span>
                      <strong>{assistantName(assistant.name, assistant.title)}</strong>
                      <span>{aboutAssistant(assistant)}</span>
                      <ArrowRight aria-hidden size={18} className="go" />
                    </Link>
                  </li>
                );
              })}
              {!assistants && [1, 2, 3].map((each) => <li key={each} className="skeleton block" />)}
            </ul>
          </>
        )}
      </div>
    </div>
  );
}
