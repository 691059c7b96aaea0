import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { hideToast, holdToasts, runToastAction, showToast } from "../../src/ui/toasts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const offer = () => {
  const undo = vi.fn();
  const gone = vi.fn();
  return { undo, gone, id: showToast("Deleted", { action: { label: "Undo", run: undo }, onGone: gone }) };
};

test("what a toast delays is done when the toast goes, and once", () => {
  const { id, gone } = offer();
  vi.advanceTimersByTime(7_900);
  expect(gone).not.toHaveBeenCalled();
  vi.advanceTimersByTime(200);
  hideToast(id);
  expect(gone).toHaveBeenCalledTimes(1);
});

test("an action that was taken stops what was delayed", () => {
  const { id, undo, gone } = offer();
  runToastAction(id);
  vi.advanceTimersByTime(60_000);
  expect(undo).toHaveBeenCalledTimes(1);
  expect(gone).not.toHaveBeenCalled();
});

test("a toast stays while somebody points at it", () => {
  const { gone } = offer();
  holdToasts(true);
  vi.advanceTimersByTime(60_000);
  expect(gone).not.toHaveBeenCalled();
  holdToasts(false);
  vi.advanceTimersByTime(2_100);
  expect(gone).toHaveBeenCalledTimes(1);
});
