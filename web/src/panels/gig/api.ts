/** The gig API. The server computes every figure. */

import { request } from "../../api/client";
import type * as api from "../../api/schema";
import { currentLanguage, locale } from "../../i18n";

export type Gig = api.GigDetail;
export type GigCard = api.GigCard;
export type Candidate = api.CandidateRow;
export type Status = api.GigResponseStatus;
export type Recommendation = api.GigRecommendation;
export type Column = "place" | "name" | "score" | "price" | "delivery" | "screening" | "interview" | "status";

export const STATUSES: Status[] = ["NEW", "EVALUATED", "INTERVIEW", "NEGOTIATION", "COMPLETED", "SKIPPED"];
export const RECOMMENDATIONS: Recommendation[] = [
  "HIGHLY_RECOMMENDED",
  "RECOMMENDED",
  "NEUTRAL",
  "NOT_RECOMMENDED",
];

/** The fields that the form of a gig edits. */
export interface GigFields {
  workspaceId?: string;
  title: string;
  description: string | null;
  type: Gig["type"];
  budgetMin: number | null;
  budgetMax: number | null;
  budgetCurrency: string;
  deadline: string | null;
  estimatedDuration: string | null;
  customBotInstructions: string | null;
  requirements: Partial<NonNullable<Gig["requirements"]>> | null;
  isActive: boolean;
}

/** Filter and sort order of the candidates. */
export interface CandidateFilter {
  q: string;
  status: Status | "";
  recommendation: Recommendation | "";
  withinBudget: boolean;
  /** "+skill": has it, "-skill": lacks it. */
  skill: string;
  sort: Column;
  direction: "asc" | "desc";
}

export const NO_FILTER: CandidateFilter = {
  q: "",
  status: "",
  recommendation: "",
  withinBudget: false,
  skill: "",
  sort: "place",
  direction: "asc",
};

export const isFiltered = (wanted: CandidateFilter): boolean =>
  Boolean(wanted.q || wanted.status || wanted.recommendation || wanted.withinBudget || wanted.skill);

const PAGE = 50;

type Method = "GET" | "PUT" | "POST" | "PATCH" | "DELETE";

/** Requests texts in the page's language, which may differ from the browser's. */
async function json<T>(path: string, method: Method = "GET", body?: unknown): Promise<T> {
  const headers = { "accept-language": currentLanguage() };
  return (await (await request(path, { method, headers, body })).json()) as T;
}

function parameters(wanted: CandidateFilter, cursor: string | null): URLSearchParams {
  const skill = wanted.skill.slice(1);
  const all: Record<string, string | null> = {
    limit: String(PAGE),
    cursor,
    q: wanted.q.trim() || null,
    status: wanted.status || null,
    recommendation: wanted.recommendation || null,
    within_budget: wanted.withinBudget ? "true" : null,
    with_skill: wanted.skill.startsWith("+") ? skill : null,
    without_skill: wanted.skill.startsWith("-") ? skill : null,
    sort: wanted.sort,
    direction: wanted.direction,
  };
  return new URLSearchParams(
    Object.entries(all).filter((each): each is [string, string] => each[1] !== null),
  );
}

export const gigs = {
  list: async () => (await json<api.GigCardListResponse>("/gigs")).items,
  one: (id: string) => json<Gig>(`/gigs/${id}`),
  create: (fields: GigFields) => json<api.NewGigId>("/gigs", "POST", fields),
  edit: (id: string, fields: GigFields) => json<Gig>(`/gigs/${id}`, "PATCH", fields),
  importResponses: async (id: string, file: File) =>
    json<api.ImportReport>(`/gigs/${id}/responses`, "POST", { name: file.name, content: await file.text() }),
  candidates: (id: string, wanted: CandidateFilter, cursor: string | null) =>
    json<api.CandidatePage>(`/gigs/${id}/candidates?${parameters(wanted, cursor)}`),
  /** These candidates alone. */
  some: async (id: string, ids: string[]) =>
    ids.length === 0
      ? []
      : (await json<api.CandidatePage>(`/gigs/${id}/candidates?ids=${ids.join(",")}`)).items,
  openChat: (id: string) => json<api.GigChat>(`/gigs/${id}/chat`, "PUT"),
  clearChat: (id: string) => json<api.Cleared>(`/gigs/${id}/chat`, "DELETE"),
};

/** An amount in the reader's locale; an unknown currency code is appended as it is. */
export function money(amount: number, currency: string): string {
  try {
    const style = { style: "currency", currency, maximumFractionDigits: 0 } as const;
    return new Intl.NumberFormat(locale(), style).format(amount);
  } catch {
    return `${new Intl.NumberFormat(locale()).format(amount)} ${currency}`;
  }
}
