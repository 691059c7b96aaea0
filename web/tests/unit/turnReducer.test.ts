import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TurnEvent } from "../../src/api/types";
import { draftingStep, TurnReducer } from "../../src/chat/turnReducer";
import { humanize } from "../../src/lib/humanize";

const at = (position: number, name: string, data: object) => ({ position, name, data }) as TurnEvent;

const ENDED = { outcome: { outcome: "answered" }, message: "m2", notice: null };

/** A turn with a step, text, and an end. */
const story = (pieces: string[]): TurnEvent[] => {
  let position = 0;
  const next = (name: string, data: object, by = 1) => {
    position += by;
    return at(position, name, data);
  };
  return [
    next("turn.started", { turn: "t", conversation: "c", message: "m1", assistant: "a" }),
    next("tool.started", {
      call_id: "x",
      name: "look_up",
      title: "Look up",
      arguments: { a: 1 },
      effect: "read",
    }),
    next("tool.progress", { call_id: "x", text: "retrying" }),
    next("tool.finished", { call_id: "x", name: "look_up", ok: true, summary: "Found", duration_ms: 4 }),
    ...pieces.map((text) => next("text.delta", { text }, Math.max(1, text.length))),
    next("turn.completed", ENDED),
  ];
};

const folded = (events: TurnEvent[]) => {
  const reducer = new TurnReducer("t");
  for (const event of events) reducer.apply(event);
  return reducer.current;
};

test("events repeated after a reconnect change nothing", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ minLength: 1 }), { maxLength: 8 }),
      fc.nat(20),
      fc.nat(20),
      (pieces, from, back) => {
        const events = story(pieces);
        const cut = Math.min(from, events.length);
        const again = Math.max(0, cut - back);
        const replayed = [...events.slice(0, cut), ...events.slice(again)];
        expect(folded(replayed)).toEqual(folded(events));
        expect(folded(events).text).toBe(pieces.join(""));
        expect(folded(events).phase).toBe("completed");
      },
    ),
    { numRuns: 300 },
  );
});

test("a reset drops the text and all events after its position", () => {
  const view = folded([
    at(1, "turn.started", { turn: "t", conversation: "c", message: "m1", assistant: "a" }),
    at(2, "tool.started", { call_id: "kept", name: "a", title: "A", arguments: {}, effect: "read" }),
    at(3, "tool.finished", { call_id: "kept", name: "a", ok: true, summary: "", duration_ms: 1 }),
    at(8, "text.delta", { text: "Lost " }),
    at(9, "tool.started", { call_id: "void", name: "b", title: "B", arguments: {}, effect: "read" }),
    at(2 ** 32 + 1, "text.reset", { after: 3 }),
    at(2 ** 32 + 6, "text.delta", { text: "Again" }),
  ]);
  expect(view.text).toBe("Again");
  expect(view.steps.map((step) => step.callId)).toEqual(["kept"]);
});

test("a snapshot replaces all events", () => {
  const full = story(["Hello ", "there"]);
  const others = full.filter(({ name }) => name !== "text.delta" && name !== "tool.progress");
  const events = others.map(({ name, data }) => ({ event: name, data }));
  const snapshot = at(99, "snapshot", { state: "completed", text: "Hello there", events });
  expect(folded([snapshot])).toEqual(folded(full));
  // Also for a reader that had received a part of it.
  expect(folded([...full.slice(0, 5), snapshot])).toEqual(folded(full));
  const reducer = new TurnReducer("t");
  reducer.apply(snapshot);
  reducer.apply(snapshot);
  expect(reducer.position).toBe(99);
  expect(reducer.current.text).toBe("Hello there");
});

test("a turn waits while a card is undecided and continues after the decision", () => {
  const card = { call_id: "x", tool: "delete", title: "Delete", arguments: { id: 1 } };
  const asked = [at(1, "approval.requested", { card })];
  expect(folded(asked).phase).toBe("waiting");
  const decided = at(2, "approval.decided", { call_id: "x", decision: "rejected", by: "Omar", reason: "no" });
  const view = folded([...asked, decided]);
  expect(view.phase).toBe("running");
  expect(view.steps[0]?.approval).toMatchObject({ decision: "rejected", by: "Omar", reason: "no" });
});

test("events of a newer server change nothing", () => {
  const events = story(["Hello"]);
  const strange = events.flatMap((event) => [event, at(event.position, "brand.new", {})]);
  expect(folded(strange)).toEqual(folded(events));
});

test("tool names are humanized", () => {
  expect(humanize("list_gate_passes")).toBe("List gate passes");
  expect(humanize("HR_User")).toBe("HR User");
});

describe("a document that the model writes", () => {
  const begun = [
    at(1, "turn.started", { turn: "t", conversation: "c", message: "m1", assistant: "a" }),
    at(2, "tool.started", { call_id: "x", name: "write", title: "Write", arguments: {}, effect: "read" }),
    at(3, "tool.progress", { call_id: "x", text: "Writing the job ad…" }),
  ];
  // Such events have no id, so the parser gives them the id of the previous event.
  const delta = (attempt: number, text: string) => at(3, "draft.delta", { call_id: "x", attempt, text });

  test("grows with each event and has no position of its own", () => {
    const reducer = new TurnReducer("t");
    for (const event of [...begun, delta(1, "We look "), delta(1, "for you")]) reducer.apply(event);
    expect(reducer.position).toBe(3);
    const step = draftingStep(reducer.current);
    expect(step?.draft?.text).toBe("We look for you");
    expect(step?.progress).toBe("Writing the job ad…");
  });

  test("restarts with a higher attempt; late text of an earlier one is dropped", () => {
    const view = folded([...begun, delta(1, "Wrong"), delta(2, "Right"), delta(1, " again"), delta(2, "!")]);
    expect(view.steps[0]?.draft).toEqual({ attempt: 2, text: "Right!" });
  });

  test("ends with its call, and nothing comes after that", () => {
    const finished = at(4, "tool.finished", { call_id: "x", name: "write", ok: true, summary: "" });
    const view = folded([...begun, delta(1, "Text"), finished, delta(1, " late")]);
    expect(view.steps[0]?.draft).toBeNull();
    expect(draftingStep(view)).toBeUndefined();
  });

  test("ends with the turn, also when the call never finished", () => {
    const view = folded([...begun, delta(1, "Text"), at(4, "turn.cancelled", ENDED)]);
    expect(draftingStep(view)).toBeUndefined();
  });

  test("is dropped when the model is called again", () => {
    const view = folded([...begun, delta(1, "Text"), at(2 ** 32 + 1, "text.reset", { after: 1 })]);
    expect(view.steps).toEqual([]);
  });
});
