import fc from "fast-check";
import { expect, test } from "vitest";
import { displayedReplies } from "../../src/lib/assistants";
import { parse, safeUrl } from "../../src/markdown/parse";
import { PAYLOADS } from "../browser/hostilePayloads";

test("only web and mail links are allowed", () => {
  for (const bad of [
    "javascript:alert(1)",
    "JaVaScRiPt:x",
    "java\nscript:x",
    " javascript:x",
    "\u0001javascript:x",
    "data:text/html,x",
    "vbscript:x",
    "file:///etc",
    "blob:null/1",
    "https://a:b@evil.example",
    "",
  ]) {
    expect(safeUrl(bad), bad).toBeNull();
  }
  expect(safeUrl("https://example.com/a?b=c")?.href).toBe("https://example.com/a?b=c");
  expect(safeUrl("mailto:a@example.com")?.protocol).toBe("mailto:");
});

test("no text makes the parser fail or hang, wherever it is cut", () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom(...PAYLOADS),
    fc
      .array(fc.constantFrom("*", "_", "`", "|", "[", "](", "\n", "<", "~~", "> ", "- ", "#"))
      .map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(text, fc.nat(200), (whole, cut) => {
      expect(parse(whole.slice(0, cut), true).root.type).toBe("root");
      expect(parse(whole, false).root.type).toBe("root");
    }),
    { numRuns: 400 },
  );
});

test("quick replies are limited, short, plain and unique", () => {
  const wild = ["  two\n lines ", "x".repeat(5000), "<b>bold</b>", "a", "a", "", "c", "d", "e", "f", "g"];
  const shown = displayedReplies("gig", wild);
  expect(shown).toHaveLength(4);
  expect(shown[0]).toBe("two lines");
  expect([...(shown[1] ?? "")]).toHaveLength(80);
  expect(shown[2]).toBe("<b>bold</b>");
  expect(displayedReplies("tata", wild)).toHaveLength(5);
  expect(displayedReplies("autopilot", wild)).toHaveLength(6);
  expect(displayedReplies("gig", undefined)).toEqual([]);
});
