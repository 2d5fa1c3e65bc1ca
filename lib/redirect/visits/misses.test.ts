import { expect, test } from "vitest";
import { Misses, missesPerMinuteMax, missingAddressesMax } from "./misses.ts";

const now = 1_700_000_000_000;

function missMany(misses: Misses, address: string, count: number, at = now): number[] {
  return Array.from({ length: count }, () => misses.add(address, at));
}

test("an address may miss max times in a minute, then waits until the minute is over", () => {
  const misses = new Misses();
  const waits = missMany(misses, "203.0.113.1", missesPerMinuteMax);
  expect(waits.every((seconds) => seconds === 0)).toBe(true);
  expect(misses.add("203.0.113.1", now + 1)).toBe(60);
  expect(misses.add("203.0.113.1", now + 59_999)).toBe(1);
  expect(misses.add("203.0.113.1", now + 60_000)).toBe(0);
});

test("another address is not refused, and an IPv6 network of 64 bits is one address", () => {
  const misses = new Misses();
  missMany(misses, "2001:db8:1:2::1", missesPerMinuteMax);
  expect(misses.add("2001:db8:1:2:ffff::9", now)).toBe(60);
  expect(misses.add("2001:db8:1:3::1", now)).toBe(0);
  expect(misses.add("203.0.113.2", now)).toBe(0);
  missMany(misses, "203.0.113.3", missesPerMinuteMax);
  expect(misses.add("::ffff:203.0.113.3", now)).toBe(60);
});

test("max addresses are tracked; one more drops the oldest", () => {
  const misses = new Misses();
  missMany(misses, "198.51.100.1", missesPerMinuteMax);
  for (let at = 1; at < missingAddressesMax; at++)
    misses.add(`10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`, now);
  expect([misses.size, misses.add("198.51.100.1", now)]).toEqual([missingAddressesMax, 60]);
  misses.add("192.0.2.1", now);
  expect([misses.size, misses.add("198.51.100.1", now)]).toEqual([missingAddressesMax, 0]);
});
