import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { districts } from "./borders.ts";
import { findCrossings } from "./check-borders.ts";
import { readSources, type SourceFile } from "./imports.ts";

const sources = readSources(".");

/** The problems of an additional file with only this content. */
function plant(name: string, text: string): string[] {
  const planted: SourceFile = { name, text: `${text}\n` };
  return findCrossings([...sources, planted]).filter((line) => line.startsWith(name));
}

test("no import crosses a border, no rooms form a circle, and every permission is used", () => {
  expect(findCrossings(sources)).toEqual([]);
});

test.each([
  ["a district above", "lib/platform/log/x.ts", 'import { x } from "#lib/links/tags";'],
  ["a district beside", "lib/analytics/rollups/x.ts", 'import { x } from "#lib/identity/auth";'],
  [
    "a type of a district above",
    "lib/tenancy/quotas/x.ts",
    'import type { X } from "#lib/links/tags";',
  ],
  ["a door passed by", "lib/links/utm/x.ts", 'import { x } from "../tags/store.ts";'],
  [
    "a door passed by from outside",
    "bench/x.ts",
    'import { x } from "../lib/platform/postgres/copy.ts";',
  ],
  [
    "a door passed by in a test",
    "app/api/x.test.ts",
    'import { x } from "../../lib/links/tags/store.ts";',
  ],
  ["a dynamic import", "lib/platform/log/x.ts", 'const x = await import("#lib/links/tags");'],
  ["storage in a page", "app/x.ts", 'import { sql } from "#lib/platform/postgres";'],
  ["a verb in a component", "components/links/x.tsx", 'import { x } from "#lib/links/creating";'],
  [
    "domain words in components/ui",
    "components/ui/x.tsx",
    'import { x } from "#lib/links/tags/schema";',
  ],
  ["app from a room", "lib/links/utm/x.ts", 'import { x } from "../../../app/pending-url.ts";'],
  ["a driver", "lib/links/tags/x.ts", 'import pg from "pg";'],
  ["lib in a journey", "e2e/x.ts", 'import { x } from "#lib/links/creating";'],
  ["a framework in the redirect", "lib/redirect/visits/x.ts", 'import { Hono } from "hono";'],
])("%s is refused", (_kind, name, text) => {
  expect(plant(name, text)).toHaveLength(1);
});

test("rooms of one district that import each other are refused", () => {
  const text = 'import { x } from "#lib/tenancy/members";';
  const circles = findCrossings([...sources, { name: "lib/tenancy/plans/x.ts", text }]);
  expect(circles.join("\n")).toContain("a circle: ");
});

test("a permission that no import needs is refused", () => {
  const without = sources.filter(({ name }) => !name.startsWith("lib/transfer/imports/"));
  expect(findCrossings(without)).toContain(
    'no import needs "lib/transfer/imports/jobs.ts: workers/import.ts"',
  );
});

test("a neighbour, a window and a door of a lower district are accepted", () => {
  const text = 'import { x } from "#lib/links/tags";\nimport { y } from "#lib/platform/log";';
  expect(plant("lib/links/editing/x.ts", text)).toEqual([]);
  expect(plant("components/x.tsx", 'import { x } from "#lib/links/tags/schema";')).toEqual([]);
});

const architecture = readFileSync("docs/architecture.md", "utf8");
const namesIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name);

test("the map of the architecture has the districts and their imports as borders.ts has them", () => {
  const rows = architecture.matchAll(/^\| `(\w+)` +\|[^|]+\|([^|]+)\|$/gm);
  const map = [...rows].map(([, district = "", imports = ""]) => [district, namesIn(imports)]);
  expect(map).toEqual(Object.entries(districts));
});

test.each(Object.keys(districts))("the architecture names every room of %s", (district) => {
  const [, text = ""] = architecture.split(`- **${district}**`);
  const [part = ""] = text.split(/\n(?:- \*\*|\n)/);
  const rooms = readdirSync(`lib/${district}`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(rooms.filter((room) => !namesIn(part).includes(room))).toEqual([]);
});
