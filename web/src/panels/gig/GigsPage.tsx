/** The list of gigs, and one gig in detail (`/gigs/…`). */

import { useQuery } from "@tanstack/react-query";
import { BriefcaseBusiness, Plus } from "lucide-react";
import { useState } from "react";
import { Link, useRoute } from "wouter";
import { locale } from "../../i18n";
import { Header } from "../../shell/Header";
import { type Gig, gigs } from "./api";
import { GigForm } from "./GigForm";
import { GigPage } from "./GigPage";
import { t } from "./strings";
import "./gig.css";

export default function GigsPage() {
  const [, params] = useRoute("/gigs/:id");
  return params?.id ? <GigPage key={params.id} id={params.id} /> : <List />;
}

function List() {
  const [creating, setCreating] = useState(false);
  const { data } = useQuery({ queryKey: ["gigs"], queryFn: gigs.list });
  const date = new Intl.DateTimeFormat(locale(), { dateStyle: "long" });
  return (
    <div className="page" data-panel="gig">
      <Header title={t("gigs")}>
        <button type="button" className="button small primary" onClick={() => setCreating(true)}>
          <Plus aria-hidden size={15} />
          {t("create")}
        </button>
      </Header>
      {creating && <GigForm onClose={() => setCreating(false)} />}
      <div className="panel-page">
        <p className="lead">{t("gigsLead")}</p>
        {data?.length === 0 && (
          <section className="empty">
            <BriefcaseBusiness aria-hidden size={36} />
            <h2>{t("none")}</h2>
            <p className="muted">{t("noneHint")}</p>
          </section>
        )}
        <ul className="gig-cards">
          {(data ?? []).map((gig) => (
            <li key={gig.id}>
              <Link href={`/gigs/${gig.id}`} className="card gig-card">
                <h2>{gig.title}</h2>
                <p className="chips">
                  <span className="pill">{t(gig.type as Gig["type"])}</span>
                  {!gig.isActive && <span className="pill warn">{t("closed")}</span>}
                </p>
                <p>
                  <strong>{t("responsesCount", { count: gig.responses })}</strong>
                  {gig.newResponses > 0 && (
                    <span className="good"> · {t("newResponses", { count: gig.newResponses })}</span>
                  )}
                  {gig.undecided > 0 && <span> · {t("undecided", { count: gig.undecided })}</span>}
                </p>
                <p className="muted">
                  {t("created")}: {date.format(new Date(gig.createdAt))}
                </p>
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
