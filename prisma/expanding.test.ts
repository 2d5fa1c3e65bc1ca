/**
 * Migrations after the last release only expand: its code runs on them during a rolling upgrade. What it used is removed
 * one release later.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import released from "./released.json" with { type: "json" };

const migrations = join("prisma", "migrations");

const contractions: [RegExp, string][] = [
  [/\bDROP (?:TABLE|VIEW|FUNCTION|SEQUENCE|TYPE|SCHEMA)\b/i, "drops what the release may use"],
  [/\bDROP COLUMN\b/i, "drops a column"],
  [/\bRENAME\b/i, "renames"],
  [/\bALTER COLUMN\b[^,;]*\bSET NOT NULL\b/i, "requires a column that the release may not write"],
  [/\bALTER COLUMN\b[^,;]*\b(?:SET DATA )?TYPE\b/i, "changes a type"],
  [/\bALTER COLUMN\b[^,;]*\bDROP DEFAULT\b/i, "drops a default"],
];

/** A column of an existing table that the release does not write. */
const required = /\bADD COLUMN\b(?:(?!\bADD COLUMN\b|;)[\s\S])*/gi;

/** What a migration does that the code of the release cannot live with. */
function contractionsOf(text: string): string[] {
  const plain = text.replace(/--.*$/gm, "").replace(/'(?:[^']|'')*'/g, "''");
  const columns = [...plain.matchAll(required)].filter(
    ([column]) => /\bNOT NULL\b/i.test(column) && !/\bDEFAULT\b|\bGENERATED\b/i.test(column),
  );
  return [
    ...contractions.filter(([pattern]) => pattern.test(plain)).map(([, what]) => what),
    ...columns.map(() => "adds a column that every INSERT must write"),
  ];
}

test("migrations after the release only add what its code can ignore", () => {
  const later = readdirSync(migrations, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name > released.migration)
    .map(({ name }) => name);
  const found = later.flatMap((name) => {
    const text = readFileSync(join(migrations, name, "migration.sql"), "utf8");
    return contractionsOf(text).map((what) => `${name} ${what}`);
  });
  expect(found).toEqual([]);
});

test("the release is one of the migrations", () => {
  expect(readdirSync(migrations)).toContain(released.migration);
});

test.each([
  ["ALTER TABLE link DROP COLUMN note;", 1],
  ["ALTER TABLE link RENAME COLUMN note TO remark;", 1],
  ["ALTER TABLE link ALTER COLUMN note SET NOT NULL;", 1],
  ["ALTER TABLE link ALTER COLUMN note TYPE text;", 1],
  ["ALTER TABLE link ADD COLUMN note text NOT NULL, ADD COLUMN more int DEFAULT 1;", 1],
  ["DROP TABLE note;", 1],
  ["ALTER TABLE link ADD COLUMN note text NOT NULL DEFAULT 'RENAME';", 0],
  ["CREATE TABLE note (pk bigint NOT NULL); -- DROP TABLE later", 0],
  ["DROP INDEX link_note; CREATE INDEX link_note ON link (note);", 0],
])("%s has %d contractions", (text, count) => {
  expect(contractionsOf(text)).toHaveLength(count);
});
