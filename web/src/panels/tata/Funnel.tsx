/** The funnel as bars, from the report's figures. */

import { TriangleAlert } from "lucide-react";
import { locale } from "../../i18n";
import type { DocumentContent } from "./content";
import { t } from "./strings";

interface Figures {
  funnel_table: { stage: string; chain: string; name: string; count: number }[];
  bottlenecks: { stage: string; severity: "HIGH" | "MEDIUM" }[];
}

/** The figures of an unedited report; for an edited one the bars could contradict the text. */
export function funnelOf({ madeWith, fields }: DocumentContent): Figures | null {
  return madeWith === "code" && "funnel_table" in fields ? (fields as unknown as Figures) : null;
}

export function Funnel({ figures }: { figures: Figures }) {
  const number = new Intl.NumberFormat(locale());
  const largest = (chain: string) =>
    Math.max(1, ...figures.funnel_table.filter((row) => row.chain === chain).map((row) => row.count));
  const bottleneck = (stage: string) => figures.bottlenecks.find((each) => each.stage === stage);
  return (
    <ul className="funnel" aria-label={t("funnel")}>
      {figures.funnel_table.map((row) => {
        const narrow = bottleneck(row.stage);
        return (
          <li key={row.stage} className={narrow ? "funnel-narrow" : ""} data-severity={narrow?.severity}>
            <span className="funnel-name">
              {row.name}
              {narrow && (
                <span className="pill warn">
                  <TriangleAlert aria-hidden size={13} />
                  {t("bottleneck")}
                </span>
              )}
            </span>{" "}
            <span className="funnel-count">{number.format(row.count)}</span>
            <span className="funnel-track" aria-hidden>
              <span className="funnel-bar" style={{ width: `${(row.count / largest(row.chain)) * 100}%` }} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}
