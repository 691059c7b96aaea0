/** A review of inclusive language: the ad as it was given, with what was flagged, and what could stand there. */

import { useId } from "react";
import { locale } from "../../i18n";
import { type Flag, pieces } from "./pieces";
import { flagName, w } from "./words";

interface Review {
  overall_score: number;
  category_scores: Record<string, { score: number; issues_found: number }>;
  flagged_items: Flag[];
  compliance_notes: string[];
  original_text: string;
}

export function Inclusion({ content }: { content: unknown }) {
  const review = content as Review;
  const id = useId();
  const number = new Intl.NumberFormat(locale(), { maximumFractionDigits: 0 });
  const flags = review.flagged_items;
  return (
    <div className="inclusion">
      <h3>{w("score", { score: number.format(review.overall_score) })}</h3>
      <p className="muted">{flags.length ? w("flags", { count: flags.length }) : w("noFlags")}</p>
      <p className="ad">
        {pieces(review.original_text, flags).map((piece) =>
          piece.flag === null ? (
            piece.text
          ) : (
            <a
              key={piece.at}
              href={`#${id}-${piece.flag}`}
              className="flag"
              data-severity={flags[piece.flag]?.severity}
              onClick={(event) => {
                event.preventDefault();
                document.getElementById(`${id}-${piece.flag}`)?.scrollIntoView({ block: "center" });
              }}
            >
              {piece.text}
              <sup>{piece.flag + 1}</sup>
            </a>
          ),
        )}
      </p>
      <ol className="flags">
        {flags.map((flag, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they are as the report has them
          <li key={index} id={`${id}-${index}`}>
            <strong>{flag.text}</strong>{" "}
            <span className="pill" data-severity={flag.severity}>
              {flagName(flag.category)}
            </span>
            <p>{flag.explanation}</p>
            <p>
              {w("alternatives")}:{" "}
              {flag.alternatives.map((each) => (
                <q key={each}>{each}</q>
              ))}
            </p>
          </li>
        ))}
      </ol>
      <table className="scores">
        <thead>
          <tr>
            <th>{w("category")}</th>
            <th className="number">{w("points")}</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(review.category_scores).map(([category, { score }]) => (
            <tr key={category}>
              <th scope="row">{flagName(category)}</th>
              <td className="number">{number.format(score)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
