import { expect, test } from "vitest";
import { findSharedTables } from "./check-tables.ts";
import { readSources } from "./imports.ts";

const sources = readSources(".");

/** The problems of an additional file in a room with only this content. */
function plant(room: string, text: string): string[] {
  return findSharedTables([...sources, { name: `lib/${room}/planted.ts`, text: `${text}\n` }]);
}

test("every table has one owner, no room reads a higher district without an exception, and every exception is used", () => {
  expect(findSharedTables(sources)).toEqual([]);
});

test.each([
  ["inserts", "query(sql`INSERT INTO utm_template (id) VALUES (1)`)"],
  ["updates", "query(sql`\n  UPDATE utm_template one\n  SET name = 'x'`)"],
  ["deletes", "query(sql`DELETE FROM utm_template WHERE pk = 1`)"],
  ["deletes by a name", `let table: "a" | "utm_template";\nquery(\`DELETE FROM \${table}\`)`],
  ["copies", 'copyRows(tx, "utm_template (id)", parts)'],
  ["creates with Prisma", "prisma().utmTemplate.create({ data })"],
  ["updates with Prisma", "prisma()\n  .utmTemplate.updateMany({ data })"],
])("a second room that %s is refused", (_how, text) => {
  const [message, ...more] = plant("outreach/qr-templates", text);
  expect(message).toMatch(/^utm_template has 2 owners: links\/utm, outreach\/qr-templates$/);
  expect(more).toEqual([]);
});

test.each([
  ["in SQL", "query(sql`SELECT 1 FROM link_stat`)"],
  ["in a join", "query(sql`SELECT 1 FROM tag JOIN link_stat USING (link_pk)`)"],
  ["beside another", "query(sql`SELECT 1 FROM tag AS one, link_stat`)"],
  ["to delete", "query(sql`DELETE FROM tag USING link_stat`)"],
  ["with Prisma", "prisma().linkStat.findMany()"],
])("a room that reads a table of a higher district %s is refused", (_how, text) => {
  expect(plant("links/tags", text)).toEqual([
    "links/tags reads link_stat of analytics/ingest, a higher district",
  ]);
});

test("locks, comments and tables of lower districts are no violation", () => {
  const text = `// DELETE FROM tag
/* UPDATE tag SET x */
query(sql\`SELECT 1 FROM workspace FOR UPDATE OF tag\`);
query(sql\`INSERT INTO qr_logo VALUES (1) ON CONFLICT DO UPDATE SET x = 1\`);`;
  expect(plant("outreach/qr-templates", text)).toEqual([]);
});

test("an exception that no statement needs is refused", () => {
  const without = sources.filter(({ name }) => !name.startsWith("lib/tenancy/onboarding/"));
  expect(findSharedTables(without)).toContain(
    'no statement needs "write tenancy/onboarding: membership"',
  );
});
