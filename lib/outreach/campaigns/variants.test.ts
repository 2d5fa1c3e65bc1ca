import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { variantOf } from "./candidates.ts";

describe("variants", () => {
  const person = (number: number) => createHash("sha256").update(String(number)).digest();

  test("of a person stay the same, and differ between campaigns", () => {
    const of = (campaign: string) =>
      Array.from({ length: 50 }, (_, at) => variantOf([50, 50], campaign, person(at)));
    expect(of("camp_1")).toEqual(of("camp_1"));
    expect(of("camp_1")).not.toEqual(of("camp_2"));
  });

  test("are assigned in the proportion of their percentages", () => {
    const counts = [0, 0, 0];
    for (let at = 0; at < 20_000; at++) {
      const variant = variantOf([70, 30, 0], "camp_1", person(at));
      counts[variant] = (counts[variant] ?? 0) + 1;
    }
    expect(counts[0]).toBeGreaterThan(13_600);
    expect(counts[0]).toBeLessThan(14_400);
    expect(counts[2]).toBe(0);
  });
});
