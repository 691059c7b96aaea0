/** The operator API. */

import { useQuery } from "@tanstack/react-query";
import { request } from "../../api/client";
import type * as api from "../../api/schema";
import type { Page } from "../../api/types";
import { locale } from "../../i18n";

export type Turn = api.OperatorTurn;
export type Step = api.PlacedStep;
export type Usage = api.UsageResponse;
export type UsageGroup = api.UsageGroup;
export type AuditRow = api.AuditRow;
export type Evaluation = api.EvaluationEntry;
export type Installation = api.Installation;

export const STATES: api.TurnState[] = [
  "running",
  "awaiting_approval",
  "completed",
  "failed",
  "cancelled",
  "interrupted",
];
export const OUTCOMES: api.AuditOutcome[] = [
  "executed",
  "denied",
  "approval_requested",
  "approved",
  "rejected",
  "expired",
  "failed",
  "unknown",
  "erased",
];

type Params = Record<string, string | null | undefined>;

async function json<T>(path: string, params: Params = {}): Promise<T> {
  const given = Object.entries(params).filter((each): each is [string, string] => Boolean(each[1]));
  const query = given.length ? `?${new URLSearchParams(given)}` : "";
  return (await (await request(path + query)).json()) as T;
}

export const operator = {
  installation: () => json<Installation>("/installation"),
  turns: (params: Params) => json<Page<Turn>>("/turns", params),
  turn: (id: string) => json<api.OperatorTurnResponse>(`/turns/${id}`),
  usage: (params: Params) => json<Usage>("/usage", params),
  audit: (params: Params) => json<Page<AuditRow>>("/audit", params),
  names: async (ids: string[]) =>
    (await json<Page<api.OperatorName>>("/names", { ids: ids.join(",") })).items,
  evaluations: async () => (await json<Page<Evaluation>>("/evaluations")).items,
  evaluation: (id: string) => json<api.EvaluationResponse>(`/evaluations/${id}`),
};

const MOST_NAMES = 200;

/** Names of people and companies; the id until a name is loaded. */
export function useNames(ids: (string | null | undefined)[]): (id: string | null | undefined) => string {
  const wanted = [...new Set(ids.filter((id): id is string => Boolean(id)))].sort().slice(0, MOST_NAMES);
  const { data } = useQuery({
    queryKey: ["operator", "names", wanted.join()],
    queryFn: () => operator.names(wanted),
    enabled: wanted.length > 0,
    placeholderData: (before) => before,
  });
  return (id) => {
    if (!id) return "";
    return data?.find((each) => each.id === id)?.name ?? `${id.slice(0, 8)}…`;
  };
}

export const count = (value: number): string => new Intl.NumberFormat(locale()).format(value);

export const short = (value: number): string =>
  new Intl.NumberFormat(locale(), { notation: "compact", maximumFractionDigits: 1 }).format(value);

export const moment = (iso: string): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: "short", timeStyle: "medium" }).format(new Date(iso));
