/** The funnel as bars. Every number and every width comes from the report. */

import { TriangleAlert } from "lucide-react";
import { locale } from "../../i18n";
import { ownerName, w } from "./words";

interface Report {
  summary: string;
  funnel_table: {
    stage: string;
    chain: string;
    name: string;
    count: number;
    conversion_from_previous: number | null;
  }[];
  bottlenecks: { stage: string; severity: "HIGH" | "MEDIUM"; conversion_rate: number | null }[];
  suggested_fixes: { bottleneck: string; fix: string; owner: string }[];
  visual_data: { stages: { name: string; chain: string; width: number }[] };
}

export function Funnel({ content }: { content: unknown }) {
  const report = content as Report;
  const number = new Intl.NumberFormat(locale());
  const percent = new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 });
  const width = (name: string, chain: string) =>
    report.visual_data.stages.find((each) => each.name === name && each.chain === chain)?.width ?? 0;
  const bottleneck = (stage: string) => report.bottlenecks.find((each) => each.stage === stage);
  return (
    <div className="funnel">
      <p>{report.summary}</p>
      <table>
        <caption className="sr-only">{w("funnel")}</caption>
        <thead>
          <tr>
            <th>{w("funnel")}</th>
            <th className="number">{w("count")}</th>
            <th className="number">{w("conversion")}</th>
          </tr>
        </thead>
        <tbody>
          {report.funnel_table.map((row) => {
            const narrow = bottleneck(row.stage);
            return (
              <tr key={row.stage} className={narrow ? "narrow" : ""} data-severity={narrow?.severity}>
                <th scope="row">
                  <span className="funnel-name">{row.name}</span>
                  <span className="funnel-track" aria-hidden>
                    <span className="funnel-bar" style={{ width: `${width(row.name, row.chain)}%` }} />
                  </span>
                  {narrow && (
                    <span className="pill warn">
                      <TriangleAlert aria-hidden size={13} />
                      {w("bottleneck")}
                    </span>
                  )}
                </th>
                <td className="number">{number.format(row.count)}</td>
                <td className="number">
                  {row.conversion_from_previous === null
                    ? "–"
                    : `${percent.format(row.conversion_from_previous)} %`}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {report.suggested_fixes.length > 0 && (
        <>
          <h3>{w("fixes")}</h3>
          <ul className="fixes">
            {report.suggested_fixes.map((each) => (
              <li key={each.bottleneck + each.fix}>
                {each.fix} <span className="muted">{w("owner", { owner: ownerName(each.owner) })}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
