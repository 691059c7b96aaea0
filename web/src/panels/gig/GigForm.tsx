/** Creates a gig, or edits one. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useLocation } from "wouter";
import { asApiError } from "../../api/client";
import { Dialog } from "../../ui/Dialog";
import { Problem } from "../../ui/Problem";
import { type Gig, type GigFields, gigs } from "./api";
import { t } from "./strings";

const KINDS: Gig["type"][] = [
  "DEVELOPMENT",
  "DESIGN",
  "COPYWRITING",
  "MARKETING",
  "TRANSLATION",
  "VIDEO",
  "AUDIO",
  "DATA_ENTRY",
  "RESEARCH",
  "CONSULTING",
  "OTHER",
];

/** The form's fields as a gig; what the form does not show stays as it is. */
function fields(form: FormData, gig: Gig | undefined): GigFields {
  const text = (name: string) => String(form.get(name) ?? "").trim() || null;
  const amount = (name: string) => (text(name) === null ? null : Number(text(name)));
  const skills = (text("skills") ?? "").split(",").map((skill) => skill.trim());
  const required = skills.filter(Boolean);
  const day = text("deadline");
  return {
    title: text("title") ?? "",
    description: text("description"),
    type: (text("type") ?? "OTHER") as Gig["type"],
    budgetMin: amount("budgetMin"),
    budgetMax: amount("budgetMax"),
    budgetCurrency: (text("currency") ?? "RUB").toUpperCase(),
    deadline: day && `${day}T00:00:00Z`,
    estimatedDuration: text("duration"),
    customBotInstructions: text("instructions"),
    requirements:
      gig?.requirements || required.length ? { ...gig?.requirements, required_skills: required } : null,
    isActive: form.get("active") !== null,
  };
}

export function GigForm({ gig, onClose }: { gig?: Gig; onClose: () => void }) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [problem, setProblem] = useState<string | null>(null);
  const { data: known } = useQuery({ queryKey: ["gigs"], queryFn: gigs.list, enabled: !gig });
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const values = fields(new FormData(event.currentTarget), gig);
    try {
      if (gig) await gigs.edit(gig.id, values);
      else {
        // People with several workspaces work in that of their newest gig.
        const workspaceId = known?.[0]?.workspaceId;
        const created = await gigs.create({ ...values, ...(workspaceId ? { workspaceId } : {}) });
        navigate(`/gigs/${created.id}`);
      }
      await client.invalidateQueries({ queryKey: gig ? ["gig", gig.id, "data"] : ["gigs"] });
      onClose();
    } catch (error) {
      setProblem(asApiError(error).message);
    }
  };
  return (
    <Dialog title={t(gig ? "editTitle" : "create")} onClose={onClose}>
      <form className="gig-form" onSubmit={save}>
        <Field label={t("title")}>
          <input name="title" required maxLength={500} defaultValue={gig?.title} data-autofocus />
        </Field>
        <Field label={t("description")}>
          <textarea name="description" rows={4} defaultValue={gig?.description ?? ""} />
        </Field>
        <div className="gig-form-row">
          <Field label={t("budgetMin")}>
            <input name="budgetMin" type="number" min={0} defaultValue={gig?.budgetMin ?? ""} />
          </Field>
          <Field label={t("budgetMax")}>
            <input name="budgetMax" type="number" min={0} defaultValue={gig?.budgetMax ?? ""} />
          </Field>
          <Field label={t("currency")}>
            <input
              name="currency"
              pattern="[A-Za-z]{3}"
              maxLength={3}
              defaultValue={gig?.budgetCurrency ?? "RUB"}
            />
          </Field>
        </div>
        <div className="gig-form-row">
          <Field label={t("deadline")}>
            <input name="deadline" type="date" defaultValue={gig?.deadline?.slice(0, 10)} />
          </Field>
          <Field label={t("duration")}>
            <input name="duration" maxLength={100} defaultValue={gig?.estimatedDuration ?? ""} />
          </Field>
          <Field label={t("kind")}>
            <select name="type" defaultValue={gig?.type ?? "DEVELOPMENT"}>
              {KINDS.map((kind) => (
                <option key={kind} value={kind}>
                  {t(kind)}
                </option>
              ))}
            </select>
          </Field>
        </div>
        <Field label={t("required")} hint={t("skillsHint")}>
          <input name="skills" defaultValue={gig?.requirements?.required_skills?.join(", ") ?? ""} />
        </Field>
        <Field label={t("instructions")}>
          <textarea
            name="instructions"
            rows={2}
            maxLength={5000}
            defaultValue={gig?.customBotInstructions ?? ""}
          />
        </Field>
        <label className="gig-form-check">
          <input name="active" type="checkbox" defaultChecked={gig?.isActive ?? true} /> {t("active")}
        </label>
        <Problem>{problem}</Problem>
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {t("app.cancel")}
          </button>
          <button type="submit" className="button primary">
            {t("save")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Field(props: { label: string; hint?: string; children: React.ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label className="field">
      <span>{props.label}</span>
      {props.children}
      {props.hint && <span className="muted">{props.hint}</span>}
    </label>
  );
}
