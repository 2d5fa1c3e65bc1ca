import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { GroupWindow, groupVisits } from "./window.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** After 200 ms in which this many visits a second came. */
function windowAt(perSecond: number): (size: number, ageMs?: number) => boolean {
  const window = new GroupWindow();
  let visits = 0;
  for (let tenth = 0; tenth < 2; tenth++) {
    vi.advanceTimersByTime(100);
    visits += perSecond / 10;
    window.isOpen(visits, { size: 0, openedAt: 0 });
  }
  return (size, ageMs = 0) => window.isOpen(visits, { size, openedAt: performance.now() - ageMs });
}

test("a group stays open while many visits arrive, and is written at once while it is calm", () => {
  expect(windowAt(900)(1)).toBe(false);
  expect(windowAt(1_100)(1)).toBe(true);
});

test("a group that is full, or waited while another was written, is written at once", () => {
  const isOpen = windowAt(1_100);
  expect(isOpen(groupVisits - 1)).toBe(true);
  expect(isOpen(groupVisits)).toBe(false);
  expect(isOpen(1, 1)).toBe(false);
});

test("the first visit after a rush is written at once", () => {
  const isOpen = windowAt(5_000);
  vi.advanceTimersByTime(10_000);
  expect(isOpen(1)).toBe(false);
});

test("a window closes after a millisecond, or when it is closed", async () => {
  const window = new GroupWindow();
  const closed = vi.fn();
  void window.closed().then(closed);
  await vi.advanceTimersByTimeAsync(0);
  expect(closed).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(closed).toHaveBeenCalledTimes(1);
  void window.closed().then(closed);
  window.close();
  await vi.advanceTimersByTimeAsync(0);
  expect(closed).toHaveBeenCalledTimes(2);
});
