import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Source } from "../../src/api/types";
import { bestSentence, citationsOf, citedNumbers, stripSourceList } from "../../src/chat/citations";
import { findPassage, toUtf16Range } from "../../src/panels/docs/passage";

const source = (text: string): Source => ({ title: "t", url: "u", score: 1, text });

describe("citations", () => {
  test("the sentence that shares most with the claim is found", () => {
    const passage =
      "# Trips\n\nTrains are booked by the traveller. Flights need the manager's agreement first.";
    const found = bestSentence(passage, "Before you book flights, the manager must give agreement");
    expect(passage.slice(found?.begin, found?.end)).toBe("Flights need the manager's agreement first.");
    expect(bestSentence(passage, "Nothing of that kind whatsoever")).toBeNull();
  });

  test("a place is always inside its passage", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (passage, claim) => {
        const found = bestSentence(passage, claim);
        if (!found) return;
        expect(found.begin).toBeGreaterThanOrEqual(0);
        expect(found.end).toBeGreaterThan(found.begin);
        expect(found.end).toBeLessThanOrEqual(passage.length);
      }),
    );
  });

  test("only the model's own source list at the end is removed", () => {
    const answer = "> Quoted. [1]\n\nMore [2].";
    const list = "\n\n**Sources**\n- [1] [A](http://x/a)\n- [2] [B](http://x/b)";
    expect(stripSourceList(answer + list)).toBe(answer);
    expect(stripSourceList(`${answer}${list}\n\nAnd one more sentence.`)).toContain("**Sources**");
    expect(stripSourceList(answer)).toBe(answer);
  });

  test("only numbers of sources count, each once", () => {
    expect(citedNumbers("a [2] b [1] c [2] d [9]", [source("x"), source("y")])).toEqual([1, 2]);
  });

  test("the server's citation check is parsed strictly", () => {
    expect(citationsOf({})).toBeNull();
    expect(citationsOf({ citations: { cited: [1, "2"], unsupported: ["s", 3], unknown: "no" } })).toEqual({
      cited: [1],
      unknown: [],
      unsupported: ["s"],
      misquoted: [],
    });
  });
});

describe("a passage in its document", () => {
  const text = "# Ärende 👋\n\nFörsta stycket.\n\nAndra stycket\nfortsätter.";
  const bytes = (part: string) => {
    const before = new TextEncoder().encode(text.slice(0, text.indexOf(part))).length;
    return { begin: before, end: before + new TextEncoder().encode(part).length };
  };

  test("byte offsets become UTF-16 offsets, also after non-ASCII letters", () => {
    const { begin, end } = toUtf16Range(text, bytes("Första stycket."));
    expect(text.slice(begin, end)).toBe("Första stycket.");
  });

  test("the words are found, or else the passage that has them", () => {
    const passage = { chunk_id: "1", ...bytes("Andra stycket\nfortsätter.") };
    const document = { collection: "c", url: "u", title: "t", text, passages: [passage] };
    expect(findPassage(document, "Första stycket.")).toEqual(toUtf16Range(text, bytes("Första stycket.")));
    expect(findPassage(document, "Andra stycket fortsätter.")).toEqual(toUtf16Range(text, passage));
    expect(findPassage(document, "Nowhere")).toBeNull();
    expect(findPassage(document, "")).toBeNull();
  });
});
