import { expect, test } from "vitest";
import { addressSubject, type LimitName, tryLimit, tryLimits } from "./index.ts";
import { LocalWindows } from "./local.ts";

const windowMs = 1_000;

test("max attempts pass and the next is refused until the oldest has left the window", () => {
  const windows = new LocalWindows();
  const attempt = (now: number, id: string) => windows.try("a", { now, windowMs, max: 3, id });
  expect([attempt(0, "1"), attempt(100, "2"), attempt(200, "3")]).toEqual([0, 0, 0]);
  expect(attempt(300, "4")).toBe(700);
  expect(attempt(999, "5")).toBe(1);
  expect(attempt(1_000, "6")).toBe(0);
  expect(attempt(1_000, "7")).toBe(100);
});

test("one subject does not use up another's attempts", () => {
  const windows = new LocalWindows();
  expect(windows.try("a", { now: 0, windowMs, max: 1, id: "1" })).toBe(0);
  expect(windows.try("b", { now: 0, windowMs, max: 1, id: "2" })).toBe(0);
});

test("a removed attempt leaves its place to the next", () => {
  const windows = new LocalWindows();
  windows.try("a", { now: 0, windowMs, max: 1, id: "1" });
  windows.remove("a", "1");
  expect(windows.try("a", { now: 1, windowMs, max: 1, id: "2" })).toBe(0);
});

test("the number of subjects is bounded, and the least recently used one is dropped first", () => {
  const windows = new LocalWindows();
  windows.try("first", { now: 0, windowMs, max: 1, id: "1" });
  for (let at = 0; at < 10_000; at++) windows.try(`${at}`, { now: 0, windowMs, max: 1, id: "1" });
  expect(windows.try("first", { now: 0, windowMs, max: 1, id: "2" })).toBe(0);
  expect(windows.try("9999", { now: 0, windowMs, max: 1, id: "2" })).toBe(windowMs);
});

test("a limit per address takes no address, only the network that one function makes", () => {
  // Never called: what is wrong here does not compile.
  const calls = [
    // @ts-expect-error: a whole address
    () => tryLimit("optOutPerAddress", "2001:db8::9"),
    // @ts-expect-error: joined to a text again
    () => tryLimit("formPerAddress", `7 ${addressSubject("2001:db8::9")}`),
    // @ts-expect-error: in a list
    () => tryLimits([["publicTrackPerAddress", "2001:db8::9"]]),
    // @ts-expect-error: a name that may be that of a limit per address
    (name: LimitName) => tryLimit(name, "2001:db8::9"),
  ];
  expect(calls).toHaveLength(4);
  expect(addressSubject("2001:db8::9", 7)).toBe("7 2001:db8:0:0::/64");
});

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:1:2::9", "2001:db8:1:2::/64"],
  ["2001:db8::9", "2001:db8:0:0::/64"],
  ["2001:db8:1:2:3::", "2001:db8:1:2::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["1::2:3:4:5:6:7", "1:0:2:3::/64"],
])("the address %s is limited as %s", (address, subject) => {
  expect(addressSubject(address)).toBe(subject);
});
