import { expect, test } from "vitest";
import { RecentChanges } from "./recent-changes.ts";

test("a change is recent for the whole age, and forgotten before twice of it", () => {
  for (let added = 0; added < 2_000; added += 93) {
    const changes = new RecentChanges(1_000);
    changes.add("first", 0);
    changes.add("x", added);
    expect(changes.has("x", added + 1_000 - 1)).toBe(true);
    expect(changes.has("other", added + 1_000)).toBe(false);
    expect(changes.has("x", added + 2_000)).toBe(false);
  }
});

test("with more changes than fit, every entry counts as changed, until they are old", () => {
  const changes = new RecentChanges(1_000);
  for (let at = 0; at < 200_000; at++) changes.add(`entry${at}`, 0);
  expect(changes.has("other", 10)).toBe(true);
  expect(changes.has("other", 2_000)).toBe(false);
});
