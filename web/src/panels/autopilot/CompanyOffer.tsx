/** A decision that a company takes is begun where all of its people see it. */

import { useQuery } from "@tanstack/react-query";
import { Users } from "lucide-react";
import { useState } from "react";
import { api } from "../../api/client";
import { asApiError } from "../../chat/chat";
import type { Beginning } from "../../pages/beginning";
import { w } from "./words";
import "./autopilot.css";

export default function CompanyOffer({ busy, begin }: Beginning) {
  const { data } = useQuery({ queryKey: ["companies"], queryFn: api.companies });
  const [problem, setProblem] = useState<string | null>(null);
  if (!data?.length) return null;
  const beginIn = async (company: string) => {
    setProblem(null);
    try {
      await begin(
        async () => (await api.createConversation({ assistant: "autopilot", company_id: company })).id,
      );
    } catch (error) {
      setProblem(asApiError(error).message);
    }
  };
  return (
    <section className="company-offer" aria-label={w("together")}>
      <h3>{w("together")}</h3>
      <p className="muted">{w("togetherHint")}</p>
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
            {w("beginIn", { company: company.name })}
          </button>
        ))}
      </p>
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}
