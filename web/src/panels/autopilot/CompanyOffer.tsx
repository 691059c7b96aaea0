/** Offers to start the conversation in a company, visible to all its members. */

import { useQuery } from "@tanstack/react-query";
import { Users } from "lucide-react";
import { useState } from "react";
import { api, asApiError } from "../../api/client";
import type { StartConversation } from "../../pages/useStartConversation";
import { t } from "./strings";
import "./autopilot.css";
import { Problem } from "../../ui/Problem";

export default function CompanyOffer({ busy, start }: StartConversation) {
  const { data } = useQuery({ queryKey: ["companies"], queryFn: api.companies });
  const [problem, setProblem] = useState<string | null>(null);
  if (!data?.length) return null;
  const beginIn = async (company: string) => {
    setProblem(null);
    try {
      await start(
        async () => (await api.createConversation({ assistant: "autopilot", company_id: company })).id,
      );
    } catch (error) {
      setProblem(asApiError(error).message);
    }
  };
  return (
    <section className="company-offer" data-panel="autopilot" aria-label={t("together")}>
      <h3>{t("together")}</h3>
      <p className="muted">{t("togetherHint")}</p>
      <p className="chips">
        {data.map((company) => (
          <button
            key={company.id}
            type="button"
            className="button small"
            disabled={busy}
            onClick={() => beginIn(company.id)}
          >
            <Users aria-hidden size={15} />
            {t("beginIn", { company: company.name })}
          </button>
        ))}
      </p>
      <Problem>{problem}</Problem>
    </section>
  );
}
