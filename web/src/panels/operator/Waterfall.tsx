/** The steps of one turn as a waterfall chart. */

import { useQuery } from "@tanstack/react-query";
import { Bot, Check, Hand, Wrench, X } from "lucide-react";
import { asApiError } from "../../api/client";
import { duration } from "../../lib/time";
import { count, moment, operator, type Step } from "./api";
import { t, why } from "./strings";

const ICONS = { model: Bot, tool: Wrench, approval_requested: Hand, approval_decided: Check };

export function Waterfall({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error } = useQuery({
    queryKey: ["operator", "turn", id],
    queryFn: () => operator.turn(id),
    retry: false,
  });
  if (error) return <p className="problem">{asApiError(error).message}</p>;
  if (!data) return <span className="skeleton wide" />;
  const { turn, steps, other_ms: other } = data;
  const end = steps.reduce((last, step) => Math.max(last, step.began_ms + step.duration_ms), 0);
  const whole = Math.max(turn.duration_ms ?? 0, end, 1);
  return (
    <section className="waterfall" aria-label={t("stepsOf", { time: moment(turn.started_at) })}>
      <header>
        <h2>{t("stepsOf", { time: moment(turn.started_at) })}</h2>
        <button type="button" className="icon-button small" aria-label={t("close")} onClick={onClose}>
          <X aria-hidden size={16} />
        </button>
      </header>
      {steps.length === 0 ? (
        <p className="muted">{t("noSteps")}</p>
      ) : (
        <ol>
          {steps.map((step, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps never move
            <StepLine key={index} step={step} whole={whole} />
          ))}
          {(other ?? 0) > 0 && (
            <li title={t("otherHint")}>
              <span className="waterfall-name muted">{t("other")}</span>
              <span className="waterfall-track" aria-hidden>
                <span
                  className="waterfall-bar other"
                  style={{
                    insetInlineStart: `${(end / whole) * 100}%`,
                    width: `${((other ?? 0) / whole) * 100}%`,
                  }}
                />
              </span>
              <span className="waterfall-time">{duration(other ?? 0)}</span>
            </li>
          )}
        </ol>
      )}
    </section>
  );
}

function StepLine({ step, whole }: { step: Step; whole: number }) {
  const Icon = ICONS[step.kind];
  const tokens = step.input_tokens + step.output_tokens > 0;
  return (
    <li data-kind={step.kind} data-ok={step.ok}>
      <span className="waterfall-name">
        <Icon aria-hidden size={14} />
        <span className="sr-only">{t(step.kind)}: </span>
        <strong>{step.name ?? t(step.kind)}</strong>
        {step.problem && <span className={step.ok ? "muted" : "why"}>{why(step.problem)}</span>}
        {tokens && (
          <span className="muted">
            {count(step.input_tokens)} / {count(step.output_tokens)}
          </span>
        )}
      </span>
      <span className="waterfall-track" aria-hidden>
        <span
          className="waterfall-bar"
          style={{
            insetInlineStart: `${(step.began_ms / whole) * 100}%`,
            width: `${(step.duration_ms / whole) * 100}%`,
          }}
        />
      </span>
      <span className="waterfall-time">
        {duration(step.duration_ms)}
        <span className="sr-only"> {t("begins", { time: duration(step.began_ms) })}</span>
      </span>
    </li>
  );
}
