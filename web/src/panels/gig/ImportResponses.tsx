/** Imports responses from a CSV or JSON file into the gig, and shows what became of its rows. */

import { useQueryClient } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import { type ChangeEvent, useRef, useState } from "react";
import { asApiError } from "../../api/client";
import type { ImportReport } from "../../api/schema";
import { Dialog } from "../../ui/Dialog";
import { Problem } from "../../ui/Problem";
import { gigs } from "./api";
import { t } from "./strings";

export function ImportResponses({ gig }: { gig: string }) {
  const client = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [report, setReport] = useState<ImportReport | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const close = () => {
    setReport(null);
    setProblem(null);
  };
  const choose = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const file = currentTarget.files?.[0];
    // The same file can be chosen again.
    currentTarget.value = "";
    if (!file) return;
    try {
      setReport(await gigs.importResponses(gig, file));
      await client.invalidateQueries({ queryKey: ["gig", gig] });
    } catch (error) {
      setProblem(asApiError(error).message);
    }
  };
  return (
    <>
      <button
        type="button"
        className="button small"
        aria-label={t("importFile")}
        onClick={() => input.current?.click()}
      >
        <FileUp aria-hidden size={15} />
        <span className="wide-only">{t("importFile")}</span>
      </button>
      <input ref={input} type="file" accept=".csv,.json" hidden data-import onChange={choose} />
      {(report || problem) && (
        <Dialog title={t("importFile")} onClose={close}>
          {problem && <Problem>{problem}</Problem>}
          {report && <Report report={report} />}
        </Dialog>
      )}
    </>
  );
}

function Report({ report }: { report: ImportReport }) {
  const { refused } = report;
  return (
    <>
      <p>{t("imported", { new: report.new, changed: report.changed, unchanged: report.unchanged })}</p>
      {refused.length > 0 && (
        <>
          <p>{t("refusedRows", { count: refused.length })}</p>
          <ul>
            {refused.map(({ row, problem }) => (
              <li key={row}>{t("refusedRow", { row, problem })}</li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
