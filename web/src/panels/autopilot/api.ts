/** The decision API. The server computes all figures; the page refetches after each change. */

import { request } from "../../api/client";
import type * as api from "../../api/schema";
import { locale } from "../../i18n";

export type View = api.DiscoveryView;
export type Fact = api.DiscoveryFact;
export type Calculated = api.RoiCalculated;
export type Estimate = api.RoiEstimate;
export type Edits = api.RoiEdits;
export type Span = api.ValueSpan;
export type Payback = api.RoiPayback;
export type Source = api.RoiSource;
export type Recommendation = api.RobotRecommendation;
export type Compared = api.ComparedRobot;

async function json<T>(path: string, body?: unknown): Promise<T> {
  const options = body === undefined ? {} : { method: "POST" as const, body };
  return (await (await request(path, options)).json()) as T;
}

export const autopilot = {
  view: (conversation: string) => json<View>(`/discovery/${conversation}`),
  calculate: (conversation_id: string, assumptions: Edits, robots?: string[]) =>
    json<Calculated>("/roi/calculate", { conversation_id, assumptions, ...(robots ? { robots } : {}) }),
  recommend: (conversation_id: string, assumptions: Edits) =>
    json<api.RobotsRecommended>("/roi/recommendations", { conversation_id, assumptions }),
};

/** Whole US dollars, the only currency of the catalogue. */
export const dollars = (amount: number): string =>
  new Intl.NumberFormat(locale(), {
    style: "currency",
    currency: "USD",
    currencyDisplay: "narrowSymbol",
    maximumFractionDigits: 0,
  }).format(amount);

export const PHASES = ["discovery", "roi", "selection"] as const;
export type Phase = (typeof PHASES)[number];

/** Both bounds, or the value alone if they look the same. */
export const range = ({ low, high }: Span, write: (value: number) => string): string => {
  const [from, to] = [write(low), write(high)];
  return from === to ? from : `${from} – ${to}`;
};
