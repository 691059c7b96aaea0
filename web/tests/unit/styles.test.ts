import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const SRC = resolve(import.meta.dirname, "../../src");
const INDEX = "styles/index.css";

interface Rule {
  /** The at-rules and selectors around it, outermost first. */
  parents: string[];
  selector: string;
}

/** The style rules of a file with all their parents. Parses the subset of CSS that we use. */
function rulesOf(css: string): Rule[] {
  const rules: Rule[] = [];
  const parents: string[] = [];
  let start = 0;
  const text = css
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/"[^"]*"/g, (quoted) => quoted.replaceAll(/[{};]/g, ""));
  for (const { 0: mark, index } of text.matchAll(/[{};]/g)) {
    const before = text.slice(start, index).trim();
    start = index + 1;
    if (mark === "}") parents.pop();
    if (mark !== "{") continue;
    const inKeyframes = parents.some((parent) => parent.startsWith("@keyframes"));
    if (!before.startsWith("@") && !inKeyframes) rules.push({ parents: [...parents], selector: before });
    parents.push(before);
  }
  return rules;
}

/** The classes of the elements that a selector styles, the main one first, without ancestors. In `.list >
 * .button.small:hover` these are `button` and `small`. */
function styledClasses(selector: string): string[][] {
  let plain = selector;
  for (let before = ""; before !== plain; ) {
    before = plain;
    plain = plain.replaceAll(/\([^()]*\)/g, "");
  }
  return plain.split(",").map((each) => {
    const subject =
      each
        .trim()
        .split(/[\s>+~]+/)
        .at(-1) ?? "";
    return [...subject.matchAll(/\.([\w-]+)/g)].map((match) => match[1] ?? "");
  });
}

/** Classes that more than one file styles. A class that only modifies another (`.button.small`) belongs to that
 * one. */
function styledTwice(files: Record<string, string>): string[] {
  const main = new Map<string, Set<string>>();
  const all = new Map<string, Set<string>>();
  const note = (map: Map<string, Set<string>>, name: string, file: string) =>
    map.set(name, (map.get(name) ?? new Set()).add(file));
  for (const [file, css] of Object.entries(files)) {
    for (const [first, ...modifiers] of rulesOf(css).flatMap((rule) => styledClasses(rule.selector))) {
      if (first === undefined) continue;
      note(main, first, file);
      for (const each of [first, ...modifiers]) note(all, each, file);
    }
  }
  return [...main.keys()]
    .filter((name) => (all.get(name)?.size ?? 0) > 1)
    .map((name) => `.${name}: ${[...(all.get(name) ?? [])].toSorted().join(", ")}`)
    .toSorted();
}

const names = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".css"))
  .toSorted();
const files = Object.fromEntries(names.map((name) => [name, readFileSync(resolve(SRC, name), "utf8")]));
const isPanel = (name: string) => /^panels\/[^/]+\//.test(name);

describe("the page's styles", () => {
  it("style no class in two files", () => {
    expect(styledTwice(files)).toEqual([]);
  });

  it("are in one layer each: panels in their own file, all others in the index", () => {
    const imported = [...(files[INDEX] ?? "").matchAll(/@import "([^"]+)" layer\((base|components)\);/g)].map(
      (match) => relative(SRC, resolve(SRC, dirname(INDEX), match[1] ?? "")),
    );
    expect(imported.toSorted()).toEqual(names.filter((name) => name !== INDEX && !isPanel(name)));
    expect(files[INDEX]).toContain("@layer base, components, panels;");
  });

  it.each(names.filter(isPanel))("reach no further than the panel: %s", (name) => {
    const scope = `[data-panel="${basename(dirname(name))}"]`;
    const outside = rulesOf(files[name] ?? "").filter(
      ({ parents, selector }) =>
        parents[0] !== "@layer panels" || ![...parents, selector].some((each) => each === scope),
    );
    expect(outside).toEqual([]);
  });
});

describe("the check of styles", () => {
  it("finds a class that two files style, alone or as a modifier", () => {
    const found = styledTwice({
      "a.css": ".card { color: red; } .list > .row { color: red; } .list .link.small { color: red; }",
      "b.css":
        "@media (max-width: 9px) { .big .card:hover, p { color: red; } } .skeleton.row { color: red; }",
      "c.css":
        "[data-panel] { .button.small { content: '}'; } .card a { color: red; } :not(.card) { color: red; } }",
    });
    expect(found).toEqual([".card: a.css, b.css", ".row: a.css, b.css"]);
  });
});
