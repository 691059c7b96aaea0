// @vitest-environment happy-dom
import { renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import type { TurnEvent } from "../../src/api/types";
import type { ChatState } from "../../src/chat/chatState";
import { TurnReducer } from "../../src/chat/turnReducer";
import { useDraft } from "../../src/panels/tata/useDraft";

const CALL = { call_id: "x", name: "create_job_ad" };
const BEGUN: [string, object][] = [
  ["tool.started", { ...CALL, title: "Write the job ad", arguments: {}, effect: "read" }],
  ["draft.delta", { call_id: "x", attempt: 1, text: "We look for you" }],
];
const finished = (ok: boolean): [string, object] => ["tool.finished", { ...CALL, ok, summary: "" }];
const END: [string, object] = ["turn.completed", { outcome: { outcome: "answered" }, message: "m" }];

const after = (...events: [string, object][]): ChatState => {
  const reducer = new TurnReducer("t");
  for (const [index, [name, data]] of events.entries())
    reducer.apply({ position: index + 1, name, data } as TurnEvent);
  const active = events.includes(END) ? null : "t";
  return { active, turns: new Map([["t", reducer.current]]) } as unknown as ChatState;
};

const watch = (first: ChatState) => {
  const hook = renderHook(({ state, list }) => useDraft(state, list)?.draft?.text ?? null, {
    initialProps: { state: first, list: { count: 1, loading: false } },
  });
  return (state: ChatState, count = 1, loading = false) => {
    hook.rerender({ state, list: { count, loading } });
    return hook.result.current;
  };
};

test("a draft stays until the list has the saved version", () => {
  const now = watch(after(...BEGUN));
  expect(now(after(...BEGUN))).toBe("We look for you");
  expect(now(after(...BEGUN, finished(true)), 1, true)).toBe("We look for you");
  expect(now(after(...BEGUN, finished(true), END), 1, true)).toBe("We look for you");
  expect(now(after(...BEGUN, finished(true), END), 2)).toBeNull();
});

test("a draft disappears when its call fails, or with a turn that saved nothing", () => {
  expect(watch(after(...BEGUN))(after(...BEGUN, finished(false)))).toBeNull();
  expect(watch(after(...BEGUN))(after(...BEGUN, finished(true), END))).toBeNull();
});
