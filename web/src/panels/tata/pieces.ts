/** A text cut where flags begin and end. */

export interface Flag {
  text: string;
  category: string;
  severity: "low" | "medium" | "high";
  explanation: string;
  alternatives: string[];
  /** Characters (not UTF-16 units) before it. */
  position: number;
}

export interface Piece {
  text: string;
  /** Which flag it is of. */
  flag: number | null;
  at: number;
}

/** Pieces in order; together they are the text. Of flags that overlap the first is shown. */
export function pieces(text: string, flags: readonly Flag[]): Piece[] {
  const characters = [...text];
  const order = flags
    .map((flag, index) => ({ index, begin: flag.position, end: flag.position + [...flag.text].length }))
    .filter(({ begin, end }) => begin >= 0 && end <= characters.length && end > begin)
    .sort((a, b) => a.begin - b.begin || b.end - a.end);
  const list: Piece[] = [];
  let at = 0;
  for (const { index, begin, end } of order) {
    if (begin < at) continue;
    // A flag about the whole ad has no place of its own.
    if (characters.slice(begin, end).join("").toLowerCase() !== flags[index]?.text.toLowerCase()) continue;
    if (begin > at) list.push({ text: characters.slice(at, begin).join(""), flag: null, at });
    list.push({ text: characters.slice(begin, end).join(""), flag: index, at: begin });
    at = end;
  }
  if (at < characters.length) list.push({ text: characters.slice(at).join(""), flag: null, at });
  return list;
}
