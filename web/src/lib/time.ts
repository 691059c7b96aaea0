/** Dates and times in the reader's locale. */

import { locale, t } from "../i18n";

export const clock = (iso: string): string =>
  new Intl.DateTimeFormat(locale(), { hour: "2-digit", minute: "2-digit" }).format(new Date(iso));

export const full = (iso: string): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: "full", timeStyle: "short" }).format(new Date(iso));

/** Day and time, short enough for a card or a table. */
export const moment = (iso: string): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso));

const UTC = /\b(\d{1,2}) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (\d{4}), (\d\d:\d\d) UTC\b/g;

/** Moments that the server wrote in UTC, in the reader's zone and language. */
export const localMoments = (text: string): string =>
  text.replaceAll(UTC, (whole, day: string, month: string, year: string, time: string) => {
    const at = new Date(`${day} ${month} ${year} ${time} UTC`);
    return Number.isNaN(at.getTime()) ? whole : moment(at.toISOString());
  });

const dayOf = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
const DAY = 86_400_000;

/** Whole days between a time and now, by the calendar. */
export const daysAgo = (iso: string, now = new Date()): number =>
  Math.round((dayOf(now) - dayOf(new Date(iso))) / DAY);

/** A heading for messages of one day. */
export function dayName(iso: string, now = new Date()): string {
  const days = daysAgo(iso, now);
  if (days === 0) return t("nav.today");
  if (days === 1) return t("nav.yesterday");
  const sameYear = new Date(iso).getFullYear() === now.getFullYear();
  return new Intl.DateTimeFormat(locale(), {
    weekday: "long",
    day: "numeric",
    month: "long",
    ...(sameYear ? {} : { year: "numeric" }),
  }).format(new Date(iso));
}

export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return t("tool.milliseconds", { ms: Math.round(milliseconds) });
  const seconds = new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 }).format(milliseconds / 1000);
  return t("tool.seconds", { seconds });
}

/** `m:ss` until a moment; zero when it is past. */
export function countdown(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
