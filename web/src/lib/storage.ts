/** The browser's storage, which may be full or forbidden: then nothing outlives the page. */

const attempt = <T>(work: () => T): T | null => {
  try {
    return work();
  } catch {
    return null;
  }
};

/** `null` removes the entry; an empty text as well. */
export function keep(key: string, value: string | null, where = () => localStorage): void {
  attempt(() => (value ? where().setItem(key, value) : where().removeItem(key)));
}

export const kept = (key: string, where = () => localStorage): string | null =>
  attempt(() => where().getItem(key));

export const keepJson = (key: string, value: unknown, where = () => localStorage): void =>
  keep(key, value === null ? null : JSON.stringify(value), where);

/** `null` if there is none, or if it is not JSON. */
export const keptJson = <T>(key: string, where = () => localStorage): T | null =>
  attempt(() => JSON.parse(kept(key, where) ?? "null") as T | null);
