/** Three first steps for a person's role; shown until they are done or dismissed. */

import { Check, X } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { api } from "../api/client";
import { useSession } from "../api/session";
import type { Me } from "../api/types";
import { type Key, serverText, t } from "../i18n";
import { keepJson, keptJson } from "../lib/storage";
import { putPendingDraft } from "./pendingDrafts";

/** A step, by the key of its words. */
type Step = Key & `tour.${string}`;

/** A step opens a page, or asks an assistant for something. */
type Goal = { path: string } | { assistant: string; say: string };

const STEPS: { [Role in Me["roles"][number]]?: [Step, Goal][] } = {
  HR_User: [
    [
      "tour.hr1",
      { assistant: "gatepass", say: "Create a gate pass for Ali Khan, bank visit, he will be back" },
    ],
    ["tour.hr2", { path: "/gatepass" }],
    ["tour.hr3", { assistant: "gatepass", say: "Who is out at the moment?" }],
  ],
  Admin_User: [
    ["tour.admin1", { path: "/approvals" }],
    ["tour.admin2", { assistant: "gatepass", say: "Which passes are waiting for a decision?" }],
    ["tour.admin3", { path: "/gatepass" }],
  ],
  Gate_User: [
    ["tour.gate1", { path: "/gate" }],
    ["tour.gate2", { path: "/gatepass" }],
    ["tour.gate3", { assistant: "gatepass", say: "Record an exit" }],
  ],
  Recruiter: [
    ["tour.recruiter1", { path: "/gigs" }],
    ["tour.recruiter2", { assistant: "gig", say: "Who is the best candidate and why?" }],
    [
      "tour.recruiter3",
      { assistant: "tata", say: "I need to hire a tester. Must have SQL, Python and Java." },
    ],
  ],
  Buyer: [
    [
      "tour.buyer1",
      {
        assistant: "autopilot",
        say: "Our company is called Riverside Racquets. We are a pickleball club with 6 courts on 30,000 square feet. We vacuum and mop 4 hours a day, pay $20 an hour and spend $3,500 a month.",
      },
    ],
    ["tour.buyer2", { assistant: "autopilot", say: "Find robots that can mop and vacuum" }],
    ["tour.buyer3", { path: "/company" }],
  ],
  Reader: [
    ["tour.reader1", { assistant: "docs", say: "How do approvals work?" }],
    ["tour.reader2", { path: "/documents" }],
    ["tour.reader3", { assistant: "docs", say: "Who may approve a gate pass?" }],
  ],
  Operator: [
    ["tour.operator1", { path: "/operator?view=turns" }],
    ["tour.operator2", { path: "/documents" }],
    ["tour.operator3", { path: "/operator" }],
  ],
};

/** The steps of the last of these roles that the person has: the more special ones come later. */
const stepsFor = (roles: Me["roles"]) =>
  Object.entries(STEPS).findLast(([role]) => roles.includes(role))?.[1];

interface Progress {
  done: Step[];
  dismissed: boolean;
}

export default function Tour() {
  const me = useSession()?.me;
  const key = `frontdesk.tour.${me?.id}`;
  const [progress, setProgress] = useState<Progress>(
    () => keptJson<Progress>(key) ?? { done: [], dismissed: false },
  );
  const [busy, setBusy] = useState(false);
  const [, navigate] = useLocation();
  const steps = stepsFor(me?.roles ?? []);
  if (!steps || progress.dismissed || steps.every(([step]) => progress.done.includes(step))) return null;

  const change = (next: Progress) => {
    setProgress(next);
    keepJson(key, next);
  };
  const go = async (step: Step, goal: Goal) => {
    setBusy(true);
    try {
      const path = "path" in goal ? goal.path : await start(goal.assistant, goal.say);
      change({ ...progress, done: [...progress.done, step] });
      navigate(path);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="tour" aria-labelledby="tour-title">
      <h2 id="tour-title">{t("tour.title")}</h2>
      <button
        type="button"
        className="icon-button small tour-close"
        aria-label={t("tour.dismiss")}
        title={t("tour.dismiss")}
        onClick={() => change({ ...progress, dismissed: true })}
      >
        <X aria-hidden size={16} />
      </button>
      <ol>
        {steps.map(([step, goal], index) => {
          const done = progress.done.includes(step);
          return (
            <li key={step}>
              <button type="button" disabled={busy} onClick={() => go(step, goal)}>
                <span className="tour-number" aria-hidden>
                  {done ? <Check size={14} /> : index + 1}
                </span>
                <span>
                  {t(step)}
                  {done && <span className="sr-only"> ({t("tour.done")})</span>}
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

async function start(assistant: string, say: string): Promise<string> {
  const { id } = await api.createConversation({ assistant });
  putPendingDraft(id, { content: serverText(`try.${say}`, say) });
  return `/c/${id}`;
}
