import fc from "fast-check";
import { expect, test } from "vitest";
import { type SseEvent, SseParser } from "../../src/api/sse";

const STREAM =
  "id: 1\nevent: turn.started\ndata: {}\n\n: a comment\n\nid: 2\r\nevent: text.delta\r\ndata: a\r\ndata: b\r\n\r\nid: 3\rdata:x\r\rdata\n\nid: 4\nevent: unfinished\ndata: no end";

const whole: SseEvent[] = [
  { id: "1", event: "turn.started", data: "{}" },
  { id: "2", event: "text.delta", data: "a\nb" },
  { id: "3", event: "message", data: "x" },
  { id: "3", event: "message", data: "" },
];

test("events are the same however the stream is cut", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: STREAM.length }), { maxLength: 12 }), (cuts) => {
      const parser = new SseParser();
      const edges = [0, ...cuts.toSorted((a, b) => a - b), STREAM.length];
      const found = edges.flatMap((edge, index) =>
        parser.feed(STREAM.slice(edge, edges[index + 1] ?? STREAM.length)),
      );
      expect(found).toEqual(whole);
    }),
    { numRuns: 300 },
  );
});
