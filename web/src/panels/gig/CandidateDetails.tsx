/** One candidate in detail: texts, analysis and score. */

import { Sparkles } from "lucide-react";
import type { Candidate } from "./api";
import { t } from "./strings";

interface Props {
  row: Candidate;
  onAsk: (question: string) => void;
}

export function CandidateDetails({ row, onAsk }: Props) {
  return (
    <div className="candidate">
      <div className="candidate-texts">
        {row.coverLetter && (
          <section>
            <h3>{t("coverLetter")}</h3>
            <p className="quoted">{row.coverLetter}</p>
          </section>
        )}
        {row.experience && (
          <section>
            <h3>{t("experience")}</h3>
            <p>{row.experience}</p>
          </section>
        )}
        {row.screeningAnalysis && (
          <section>
            <h3>{t("screeningAnalysis")}</h3>
            <p>{row.screeningAnalysis}</p>
          </section>
        )}
        {row.interviewAnalysis && (
          <section>
            <h3>{t("interviewAnalysis")}</h3>
            <p>{row.interviewAnalysis}</p>
          </section>
        )}
        <section>
          <h3>{t("skills")}</h3>
          <p className="chips">
            {(row.skills ?? []).map((skill) => (
              <span key={skill} className="pill">
                {skill}
              </span>
            ))}
          </p>
          {row.missingSkills.length > 0 && (
            <p className="chips">
              <span className="muted">{t("lacks")}:</span>
              {row.missingSkills.map((skill) => (
                <span key={skill} className="pill warn">
                  {skill}
                </span>
              ))}
            </p>
          )}
        </section>
        {row.rating && <p className="muted">{t("rating", { rating: row.rating })}</p>}
      </div>
      <div className="candidate-score">
        {row.criteria.length > 0 && (
          <table>
            <caption>{t("madeOf")}</caption>
            <tbody>
              {row.criteria.map((each) => (
                <tr key={each.criterion}>
                  <th scope="row">
                    {each.criterion} <span className="muted">{t("weight", { weight: each.weight })}</span>
                  </th>
                  <td>
                    <span className="score-track" aria-hidden>
                      <span className="score-bar" style={{ width: `${each.score ?? 0}%` }} />
                    </span>
                  </td>
                  <td className="number">{each.score ?? "–"}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        <Sides label={t("strengths")} words={row.strengths} className="pill good" />
        <Sides label={t("weaknesses")} words={row.weaknesses} className="pill warn" />
        <button
          type="button"
          className="button small"
          onClick={() => onAsk(t("askAboutText", { name: row.name }))}
        >
          <Sparkles aria-hidden size={15} />
          {t("askAbout", { name: row.name })}
        </button>
      </div>
    </div>
  );
}

function Sides({ label, words, className }: { label: string; words: string[] | null; className: string }) {
  if (!words?.length) return null;
  return (
    <p className="chips">
      <span className="muted">{label}:</span>
      {words.map((word) => (
        <span key={word} className={className}>
          {word}
        </span>
      ))}
    </p>
  );
}
