/** One gig: its requirements, its candidates, and the assistant that knows both. */

import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, Pencil, Sparkles } from "lucide-react";
import { useCallback, useState } from "react";
import { Link, useSearchParams } from "wouter";
import { ApiError } from "../../api/client";
import { locale } from "../../i18n";
import { ErrorPage, type ErrorWords } from "../../pages/ErrorPage";
import { Header } from "../../shell/Header";
import { type Gig, gigs, money } from "./api";
import { Candidates } from "./Candidates";
import { GigAIChatPanel } from "./GigAIChatPanel";
import { GigForm } from "./GigForm";
import { ImportResponses } from "./ImportResponses";
import { Plots } from "./Plots";
import { t } from "./strings";

export function GigPage({ id }: { id: string }) {
  const { data: gig, error } = useQuery({
    queryKey: ["gig", id, "data"],
    queryFn: () => gigs.one(id),
    retry: (count, cause) => count < 3 && cause instanceof ApiError && cause.passing,
  });
  const [search] = useSearchParams();
  const [open, setOpen] = useState(search.get("chat") !== null);
  const [question, setQuestion] = useState<string | null>(null);
  const [editing, setEditing] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  const asked = useCallback(() => setQuestion(null), []);
  const ask = (words: string) => {
    setQuestion(words);
    setOpen(true);
  };
  if (error instanceof ApiError && !error.passing && error.status !== 401)
    return <ErrorPage error={error} words={errorWords()} />;
  return (
    <div className={open ? "page gig-page chatting" : "page gig-page"} data-panel="gig">
      <Header title={gig?.title ?? ""}>
        {gig && <ImportResponses gig={id} />}
        {gig && (
          <button
            type="button"
            className="button small"
            aria-label={t("edit")}
            onClick={() => setEditing(true)}
          >
            <Pencil aria-hidden size={15} />
            <span className="wide-only">{t("edit")}</span>
          </button>
        )}
        <button
          type="button"
          className="button small primary"
          aria-expanded={open}
          onClick={() => setOpen((before) => !before)}
        >
          <Sparkles aria-hidden size={15} />
          {t("openChat")}
        </button>
      </Header>
      <div className="panel-page">
        <Link href="/gigs" className="gig-back">
          <ArrowLeft aria-hidden size={15} />
          {t("back")}
        </Link>
        {gig ? (
          <>
            {gig.description && <p className="lead">{gig.description}</p>}
            <Facts gig={gig} />
            <Requirements gig={gig} />
            <Plots gig={gig} />
            <Candidates gig={gig} current={search.get("candidate")} onAsk={ask} />
          </>
        ) : (
          <span className="skeleton wide" aria-busy />
        )}
      </div>
      {editing && gig && <GigForm gig={gig} onClose={() => setEditing(false)} />}
      <GigAIChatPanel gigId={id} isOpen={open} onClose={close} question={question} onAsked={asked} />
    </div>
  );
}

const errorWords = (): ErrorWords => ({
  forbidden: t("forbidden"),
  forbiddenHint: t("forbiddenHint"),
  notFound: t("notFound"),
  notFoundHint: t("notFoundHint"),
  list: t("toGigs"),
  listPath: "/gigs",
});

function budget({ budgetMin: min, budgetMax: max, budgetCurrency: currency }: Gig): string {
  if (min !== null && max !== null) return `${money(min, currency)} – ${money(max, currency)}`;
  if (max !== null) return t("budgetUpTo", { max: money(max, currency) });
  if (min !== null) return t("budgetFrom", { min: money(min, currency) });
  return t("notGiven");
}

function Facts({ gig }: { gig: Gig }) {
  const { stats, figures } = gig;
  const date = new Intl.DateTimeFormat(locale(), { dateStyle: "long" });
  const amount = (value: number | null) => (value === null ? "–" : money(value, gig.budgetCurrency));
  const score = (value: number | null) => (value === null ? "–" : t("ofHundred", { score: value }));
  const facts: [string, string][] = [
    [t("budget"), budget(gig)],
    [t("deadline"), gig.deadline ? date.format(new Date(gig.deadline)) : t("notGiven")],
    [t("duration"), gig.estimatedDuration ?? t("notGiven")],
    [t("kind"), t(gig.type)],
  ];
  const counted: [string, string][] = [
    [t("responses"), String(stats.total)],
    ...(figures.withinBudget === null
      ? []
      : [
          [t("withinBudget"), t("ofTotal", { count: figures.withinBudget, total: stats.total })] as [
            string,
            string,
          ],
        ]),
    [t("average"), amount(stats.avgPrice)],
    [t("averageDays"), stats.avgDeliveryDays === null ? "–" : t("days", { count: stats.avgDeliveryDays })],
    [t("averageScreening"), score(stats.avgScreeningScore)],
    [t("averageInterview"), score(stats.avgInterviewScore)],
    [t("interviewsHeld"), String(figures.interviewsHeld)],
  ];
  return (
    <>
      <section aria-label={t("facts")}>
        <Pairs pairs={facts} className="gig-facts" />
      </section>
      <section aria-label={t("figures")}>
        <Pairs pairs={counted} className="gig-figures" />
      </section>
    </>
  );
}

function Pairs({ pairs, className }: { pairs: [string, string][]; className: string }) {
  return (
    <dl className={className}>
      {pairs.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Requirements({ gig }: { gig: Gig }) {
  const { requirements: needs, figures } = gig;
  if (!needs) return null;
  return (
    <section className="card gig-needs" aria-label={t("requirements")}>
      <h2>{t("requirements")}</h2>
      {needs.summary && <p>{needs.summary}</p>}
      <dl>
        {figures.requiredSkills.length > 0 && (
          <div>
            <dt>{t("required")}</dt>
            <dd className="chips">
              {figures.requiredSkills.map(({ skill, people }) => (
                <span key={skill} className={people ? "pill" : "pill warn"}>
                  {skill} <span className="muted">{t("have", { count: people })}</span>
                </span>
              ))}
            </dd>
          </div>
        )}
        <Words name={t("nice")} words={needs.nice_to_have_skills ?? []} />
        <Words name={t("stack")} words={needs.tech_stack ?? []} />
        <Words name={t("deliverables")} words={needs.deliverables ?? []} />
        <Words name={t("level")} words={needs.experience_level ? [needs.experience_level] : []} />
        <Words
          name={t("languages")}
          words={(needs.languages ?? []).map(({ language, level }) => `${language} (${level})`)}
        />
        <Words
          name={t("instructions")}
          words={gig.customBotInstructions ? [gig.customBotInstructions] : []}
        />
      </dl>
      {figures.missingSkills.length > 0 && (
        <p className="problem">{t("missing", { skills: figures.missingSkills.join(", ") })}</p>
      )}
    </section>
  );
}

function Words({ name, words }: { name: string; words: string[] }) {
  if (words.length === 0) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{words.join(", ")}</dd>
    </div>
  );
}
