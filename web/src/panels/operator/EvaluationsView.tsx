/** Evaluation results over time, with the failures of one report. */

import { useQuery } from "@tanstack/react-query";
import { ClipboardCheck, X } from "lucide-react";
import { useState } from "react";
import { locale } from "../../i18n";
import { Scroll } from "../../ui/Scroll";
import { count, type Evaluation, moment, operator } from "./api";
import { t } from "./strings";

export function EvaluationsView() {
  const { data } = useQuery({ queryKey: ["operator", "evaluations"], queryFn: operator.evaluations });
  const [open, setOpen] = useState<string | null>(null);
  const percent = new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 });
  const seconds = new Intl.NumberFormat(locale(), { maximumFractionDigits: 2 });
  if (data?.length === 0)
    return (
      <section className="empty">
        <ClipboardCheck aria-hidden size={34} />
        <h2>{t("evalNone")}</h2>
        <p className="muted">{t("evalNoneHint")}</p>
      </section>
    );
  return (
    <section aria-label={t("evaluations")} className="operator-view">
      <div className="operator-plots">
        {suites(data ?? []).map(([suite, runs]) => (
          <History key={suite} suite={suite} runs={runs} onOpen={setOpen} />
        ))}
      </div>
      {open && <Cases id={open} onClose={() => setOpen(null)} />}
      <Scroll className="panel-table" label={t("evaluations")}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("when")}</th>
              <th scope="col">{t("suite")}</th>
              <th scope="col">{t("model")}</th>
              <th scope="col">{t("passed")}</th>
              <th scope="col" className="number">
                {t("wrongWrites")}
              </th>
              <th scope="col" className="number operator-wide">
                {t("tokens")}
              </th>
              <th scope="col" className="number operator-wide">
                {t("seconds")}
              </th>
            </tr>
          </thead>
          <tbody>
            {(data ?? []).map((each) => {
              const { summary } = each;
              const enough = summary.pass_rate >= summary.threshold;
              return (
                <tr key={each.id} aria-current={open === each.id ? "true" : undefined}>
                  <td className="short">
                    <button
                      type="button"
                      className="link"
                      aria-expanded={open === each.id}
                      onClick={() => setOpen(open === each.id ? null : each.id)}
                    >
                      {moment(each.at)}
                      <span className="sr-only">. {t("cases")}</span>
                    </button>
                  </td>
                  <td>{each.suite}</td>
                  <td>{each.model}</td>
                  <td>
                    <span className={enough ? "pill good" : "pill bad"}>
                      {percent.format(summary.pass_rate)} %
                    </span>{" "}
                    <span className="muted">
                      {t("passedOf", { passed: summary.passed, cases: summary.cases })},{" "}
                      {t("threshold", { threshold: percent.format(summary.threshold) })}
                    </span>
                  </td>
                  <td className="number">{summary.wrong_writes}</td>
                  <td className="number operator-wide">
                    {summary.estimated && "~ "}
                    {count(summary.input_tokens)} / {count(summary.output_tokens)}
                  </td>
                  <td className="number operator-wide">
                    {t("secondsValue", {
                      p50: seconds.format(summary.seconds_p50),
                      p95: seconds.format(summary.seconds_p95),
                    })}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

/** By suite, each oldest first. */
function suites(all: Evaluation[]): [string, Evaluation[]][] {
  const found = new Map<string, Evaluation[]>();
  for (const each of all) found.set(each.suite, [each, ...(found.get(each.suite) ?? [])]);
  return [...found];
}

interface HistoryProps {
  suite: string;
  runs: Evaluation[];
  onOpen: (id: string) => void;
}

function History({ suite, runs, onOpen }: HistoryProps) {
  const percent = new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 });
  return (
    <figure className="card">
      <figcaption>
        <h2>{t("history", { suite })}</h2>
      </figcaption>
      <ol className="history">
        {runs.map(({ id, at, summary }) => (
          <li key={id}>
            <button
              type="button"
              aria-label={`${moment(at)}: ${percent.format(summary.pass_rate)} %`}
              title={`${moment(at)}: ${percent.format(summary.pass_rate)} %`}
              data-enough={summary.pass_rate >= summary.threshold}
              onClick={() => onOpen(id)}
            >
              <span style={{ height: `${summary.pass_rate}%` }} />
            </button>
          </li>
        ))}
      </ol>
    </figure>
  );
}

function Cases({ id, onClose }: { id: string; onClose: () => void }) {
  const { data } = useQuery({
    queryKey: ["operator", "evaluation", id],
    queryFn: () => operator.evaluation(id),
  });
  const [failedOnly, setFailedOnly] = useState(true);
  if (!data) return <span className="skeleton wide" />;
  const bad = data.cases.filter((each) => each.runs.some((run) => !run.passed));
  const shown = failedOnly ? bad : data.cases;
  return (
    <section className="card cases" aria-label={t("cases")}>
      <header className="panel-bar">
        <h2>
          {data.evaluation.suite} · {moment(data.evaluation.at)}
        </h2>
        <button
          type="button"
          className="filter"
          aria-pressed={failedOnly}
          onClick={() => setFailedOnly(!failedOnly)}
        >
          {t("onlyFailed")} <span className="muted">{bad.length}</span>
        </button>
        <button type="button" className="icon-button small" aria-label={t("close")} onClick={onClose}>
          <X aria-hidden size={16} />
        </button>
      </header>
      {shown.length === 0 && <p className="muted">{t("everyPassed")}</p>}
      {shown.map((each) => (
        <details key={each.name} className="case">
          <summary>
            <span className={each.runs.every((run) => run.passed) ? "pill good" : "pill bad"}>
              {each.runs.filter((run) => run.passed).length}/{each.runs.length}
            </span>{" "}
            {each.name} <span className="muted">{each.as}</span>
          </summary>
          {each.runs.map((run, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: runs never move
            <div key={index} className="run">
              {run.problems.length > 0 && (
                <ul className="problems" aria-label={t("problems")}>
                  {run.problems.map((problem) => (
                    <li key={problem} className="problem">
                      {problem}
                    </li>
                  ))}
                </ul>
              )}
              <dl className="transcript">
                {run.transcript.map((line, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
                  <div key={at} data-who={line.who}>
                    <dt>{t(line.who)}</dt>
                    <dd>{line.text}</dd>
                  </div>
                ))}
              </dl>
            </div>
          ))}
        </details>
      ))}
    </section>
  );
}
