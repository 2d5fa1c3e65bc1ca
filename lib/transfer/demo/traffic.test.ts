import { expect, test } from "vitest";
import { demoLinks } from "./catalogue.ts";
import { createRandom } from "./seeded-random.ts";
import { makeTraffic } from "./traffic.ts";

const now = Date.parse("2026-06-01T12:00:00Z");
const places = demoLinks.map((link, at) => ({
  link,
  linkPk: at + 1,
  workspacePk: 1,
  domainPk: 1,
  url: "https://shop.example/",
}));

test("the same moment gives the same visits", () => {
  expect(makeTraffic(places, now)).toEqual(makeTraffic(places, now));
});

test("visits are in order of time, none in the future and none before its link", () => {
  const { clicks, first } = makeTraffic(places, now);
  const times = clicks.map(({ event }) => event.at);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(times.at(-1)).toBeLessThan(now);
  expect([first.link.length, first.workspace.length]).toEqual([clicks.length, clicks.length]);
  for (const { event } of clicks) {
    const ageDays = (now - event.at) / 86_400_000;
    expect(ageDays).toBeLessThan((demoLinks[event.linkPk - 1]?.ageDays ?? 0) + 1);
  }
});

test("every visit has an id of its own", () => {
  const ids = makeTraffic(places, now).clicks.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids)
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
});

test("a weight of nine comes about nine times as often as one", () => {
  const random = createRandom(1);
  const heavy = Array.from({ length: 10_000 }, () => random.weighted([1, 9])).filter(Boolean);
  expect(heavy.length).toBeGreaterThan(8_800);
  expect(heavy.length).toBeLessThan(9_200);
});
