/** Banner above the conversation: the phase, and what the next one still needs. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { useState } from "react";
import { asApiError, request } from "../../api/client";
import type { Conversation } from "../../api/types";
import { autopilot, PHASES, type Phase } from "./api";
import { t } from "./strings";
import "./autopilot.css";
import { Problem } from "../../ui/Problem";

export default function PhaseBar({ conversation }: { conversation: Conversation }) {
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: ["autopilot", conversation.id],
    queryFn: () => autopilot.view(conversation.id),
  });
  const [problem, setProblem] = useState<string | null>(null);
  if (!data) return null;
  const phase = data.phase as Phase;
  const at = PHASES.indexOf(phase);
  const move = async (to: Phase) => {
    setProblem(null);
    try {
      await request(`/conversations/${conversation.id}`, { method: "PATCH", body: { phase: to } });
      await client.invalidateQueries({ queryKey: ["conversation", conversation.id] });
      await client.invalidateQueries({ queryKey: ["autopilot", conversation.id] });
    } catch (error) {
      setProblem(asApiError(error).message);
    }
  };
  const { missing_keys: missing, ready_for_roi: ready, progress_percent: percent } = data.discovery_state;
  const what = missing.map((key) => t(`label_${key}`)).join(", ");
  return (
    <section className="phase-bar" data-panel="autopilot" aria-label={t("phases")}>
      <ol>
        {PHASES.map((each, index) => (
          <li key={each} data-state={index < at ? "done" : index === at ? "here" : "ahead"}>
            <button
              type="button"
              aria-current={index === at ? "step" : undefined}
              disabled={index === at}
              onClick={() => move(each)}
            >
              <span className="phase-dot" aria-hidden>
                {index < at ? <Check size={13} /> : index + 1}
              </span>
              {index === at ? t(each) : <Named phase={each} />}
            </button>
          </li>
        ))}
      </ol>
      {phase === "discovery" && (
        <p className="phase-missing">
          <span className="phase-track" aria-hidden>
            <span style={{ width: `${percent}%` }} />
          </span>
          <span>
            <span className="sr-only">{t("progress", { percent })}. </span>
            {missing.length === 0 ? t("complete") : t(ready ? "enough" : "missing", { what })}
          </span>
        </p>
      )}
      <Problem>{problem}</Problem>
    </section>
  );
}

const Named = ({ phase }: { phase: Phase }) => (
  <>
    <span className="sr-only">{t("goTo", { phase: t(phase) })}</span>
    <span aria-hidden>{t(phase)}</span>
  </>
);
