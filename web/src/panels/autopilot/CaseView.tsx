/** The business case: on screen, as PDF and as Markdown. */

import { useQuery } from "@tanstack/react-query";
import { Download, FileText } from "lucide-react";
import { ApiError, api } from "../../api/client";
import { Markdown } from "../../markdown/Markdown";
import { saveFile } from "../../ui/saveFile";
import type { Estimate, View } from "./api";
import type { Act } from "./DecisionAside";
import { RoiChart } from "./RoiChart";
import { t } from "./strings";

interface Props {
  conversation: string;
  view: View;
  idle: boolean;
  act: Act;
}

export function CaseView({ conversation, view, idle, act }: Props) {
  const list = useQuery({
    queryKey: ["artifacts", conversation],
    queryFn: () => api.artifacts(conversation),
  });
  const newest = (list.data ?? []).findLast((each) => each.kind === "business_case");
  const text = useQuery({
    queryKey: ["artifact", newest?.id, "text"],
    queryFn: () => api.artifactText(conversation, newest?.id ?? ""),
    enabled: newest !== undefined,
    // A version never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const content = useQuery({
    queryKey: ["artifact", newest?.id, "content"],
    queryFn: async () =>
      (await api.artifact(conversation, newest?.id ?? "")).content as { estimate?: Estimate },
    enabled: newest !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const outdated = text.error instanceof ApiError && text.error.code === "DOCUMENT_OUTDATED";
  const save = (ending: "pdf" | "md") =>
    saveFile(`${t("case")}.${ending}`, () => api.artifactFile(conversation, newest?.id ?? "", ending));
  const make = (
    <button
      type="button"
      className={newest ? "button small" : "button primary"}
      disabled={!idle || !view.discovery_state.ready_for_roi}
      onClick={() => act("make_business_case", t("make"), {})}
    >
      <FileText aria-hidden size={15} />
      {newest ? t("makeAgain") : t("make")}
    </button>
  );
  if (!newest)
    return (
      <section className="empty">
        <FileText aria-hidden size={32} />
        <h3>{t("noCase")}</h3>
        <p className="muted">{t("noCaseHint")}</p>
        {make}
      </section>
    );
  if (outdated)
    return (
      <section className="empty">
        <FileText aria-hidden size={32} />
        <h3>{t("outdatedCase")}</h3>
        <p className="muted">{t("outdatedCaseHint")}</p>
        {make}
      </section>
    );
  return (
    <>
      <div className="chips">
        <span className="muted">{t("version", { version: newest.version })}</span>
        <button type="button" className="button small primary" onClick={() => save("pdf")}>
          <Download aria-hidden size={15} />
          {t("pdf")}
        </button>
        <button type="button" className="button small" onClick={() => save("md")}>
          <Download aria-hidden size={15} />
          {t("markdown")}
        </button>
        {make}
      </div>
      {content.data?.estimate && <RoiChart estimate={content.data.estimate} />}
      <article className="card case-text">{text.data && <Markdown text={text.data} level={3} />}</article>
    </>
  );
}
