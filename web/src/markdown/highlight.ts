/** Colours of code. A chunk of its own, loaded with the first block of code. */

import { type ParsedLine, parse } from "sugar-high/core";
import { lang, languages } from "sugar-high/lang";

/** The tokens of each line; `null` for a language that is not known. */
export function highlight(code: string, language: string): readonly ParsedLine[] | null {
  const id = lang(language);
  const known = languages.find((each) => each.id === id);
  return known ? parse(code, known.config).lines : null;
}
