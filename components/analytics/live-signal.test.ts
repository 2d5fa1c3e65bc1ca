import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLiveSignal } from "./live-signal.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("many clicks are one reload, later ones another, and none follows the end of a subscription", () => {
  const signal = createLiveSignal(1_000);
  const reload = vi.fn();
  const stop = signal.subscribe(reload);
  for (let at = 0; at < 50; at++) signal.notify();
  expect(reload).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_000);
  expect(reload).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(60_000);
  expect(reload).toHaveBeenCalledTimes(1);
  signal.notify();
  vi.advanceTimersByTime(1_000);
  expect(reload).toHaveBeenCalledTimes(2);
  stop();
  signal.notify();
  vi.advanceTimersByTime(1_000);
  expect(reload).toHaveBeenCalledTimes(2);
});
