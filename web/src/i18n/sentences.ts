/** Translates sentences that the server writes in English. Unknown ones stay as they are. */

/** An English sentence and its translation. Words in braces are copied; `{n}` and `{m}` are numbers. */
export type Sentence = readonly [given: string, own: string];

export interface Sentences {
  patterns: readonly Sentence[];
  /** Table headings, labels and states. */
  words: Readonly<Record<string, string>>;
}

interface Pattern {
  matches: RegExp;
  holes: string[];
  own: string;
}

function compile([given, own]: Sentence): Pattern {
  const holes: string[] = [];
  const source = given
    .replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\{(\w+)\}/g, (_, hole: string) => {
      holes.push(hole);
      return hole === "n" || hole === "m" ? String.raw`(\d+)` : "(.+?)";
    });
  return { matches: new RegExp(`^${source}$`, "u"), holes, own };
}

const compiled = new WeakMap<readonly Sentence[], Pattern[]>();

/** The translation of one sentence, or null. `value` translates the copied words. */
export function translateWith(
  patterns: readonly Sentence[],
  given: string,
  value: (text: string) => string,
): string | null {
  let known = compiled.get(patterns);
  if (!known) {
    known = patterns.map(compile);
    compiled.set(patterns, known);
  }
  for (const { matches, holes, own } of known) {
    const found = matches.exec(given);
    if (found)
      return own.replaceAll(/\{(\w+)\}/g, (_, hole: string) => value(found[holes.indexOf(hole) + 1] ?? ""));
  }
  return null;
}

/** Markdown of the server, sentence by sentence. */
export function translateText(text: string, sentences: Sentences): string {
  const { patterns, words } = sentences;
  const labelled = (given: string) => {
    const [, label = "", value = ""] = /^([^:|]{2,40}): (.+)$/.exec(given) ?? [];
    return words[label] ? `${words[label]}: ${words[value] ?? value}` : null;
  };
  /** A word, or facts such as "Floors: tile; Budget: yes". */
  const word = (given: string) =>
    words[given] ??
    given
      .split("; ")
      .map((part) => labelled(part) ?? part)
      .join("; ");
  const sentence = (given: string): string => {
    const whole = translateWith(patterns, given, word);
    if (whole !== null) return whole;
    const fact = labelled(given);
    if (fact !== null) return fact;
    // A sentence of ours that quotes one of the server's.
    const [, own, quoted] = /^([^:|]*[а-яё][^:|]*): (.+)$/i.exec(given) ?? [];
    if (own && quoted) return `${own}: ${sentence(quoted)}`;
    // A question with the answers that it offers.
    const [, question, offered] = /^(.+\?) (\(.+\))$/.exec(given) ?? [];
    if (question && offered) return `${sentence(question)} ${offered}`;
    const parts = given.split(/(?<=[.!?]) (?=\S)/);
    return parts.length > 1 ? parts.map(sentence).join(" ") : given;
  };
  const line = (given: string): string => {
    if (!/[A-Za-z]{2}/.test(given)) return given;
    if (given.startsWith("|"))
      return given
        .split(/(?<!\\)\|/)
        .map((cell) => (cell.trim() ? ` ${words[cell.trim()] ?? sentence(cell.trim())} ` : cell))
        .join("|");
    const [, mark = "", rest = ""] = /^(\s*(?:[-*] |> )?)(.*)$/.exec(given) ?? [];
    return mark + sentence(rest);
  };
  return text.split("\n").map(line).join("\n");
}
