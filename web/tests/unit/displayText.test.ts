import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { displayText } from "../../src/chat/displayText";

describe("the displayed text of a reply", () => {
  test("plain text is shown unchanged, while streaming and after", () => {
    for (const text of ["Hello", "**Bold**", "[a link](/x) first", "- [ ] to do", "[x] done", "`{`"]) {
      expect(displayText(text, true)).toBe(text);
      expect(displayText(text, false)).toBe(text);
    }
  });

  test("an incomplete structure is never shown", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (value, at) => {
        const whole = JSON.stringify(value);
        const part = whole.slice(0, 1 + (at % whole.length));
        expect(displayText(part, true)).toBe("");
        expect(displayText(`\`\`\`json\n${part}`, true)).toBe("");
      }),
    );
  });

  test("a complete structure is shown as its text", () => {
    expect(displayText('{"reply": "Done.", "quick_replies": ["Thanks"]}', false)).toBe("Done.");
    expect(displayText('```json\n{"message": "Done."}\n```', false)).toBe("Done.");
    expect(displayText('{"total": 3}', false)).toBe('```json\n{\n  "total": 3\n}\n```');
    expect(displayText("{not json at all", false)).toBe("{not json at all");
  });
});
