import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Outage } from "./outage.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});

afterEach(() => {
  vi.useRealTimers();
});

test("one query probes a database that does not answer, and the next one after a moment", () => {
  const outage = new Outage();
  expect(outage.refuse(Date.now())).toBeUndefined();
  outage.failed("gone");
  expect(outage.refuse(Date.now() + 299)).toEqual({ because: "gone" });
  expect(outage.refuse(Date.now() + 300)).toBeUndefined();
  expect(outage.refuse(Date.now() + 300)).toEqual({ because: "gone" });
  outage.failed("still gone");
  expect(outage.refuse(Date.now())).toEqual({ because: "still gone" });
  expect(outage.refuse(Date.now() + 300)).toBeUndefined();
  outage.answered();
  expect(outage.isAway).toBe(false);
  expect(outage.refuse(Date.now())).toBeUndefined();
});

test("a clock that is set back delays no probe", () => {
  const outage = new Outage();
  outage.failed("gone");
  vi.setSystemTime(Date.now() - 7_200_000);
  expect(outage.refuse(Date.now())).toBeUndefined();
});
