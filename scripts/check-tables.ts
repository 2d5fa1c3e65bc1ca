/** Reads the SQL in the sources and the calls of Prisma. Triggers are not checked. */
import { readFileSync } from "node:fs";
import { districts } from "./borders.ts";
import type { SourceFile } from "./imports.ts";
import { upward, writers } from "./tables.ts";

interface TableUse {
  room: string;
  table: string;
}

const comment = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
const name = String.raw`([\w.]+(?:\$\{\w+\})?|\$\{\w+\})`;
const writing = [
  new RegExp(String.raw`\b(?:INSERT INTO|DELETE FROM|MERGE INTO|TRUNCATE)\s+${name}`, "g"),
  new RegExp(String.raw`\bUPDATE\s+${name}(?: AS)?(?: (?!SET\b)\w+)?\s+SET\b`, "g"),
  /\bcopyRows\(\s*\w+,\s*[`"]([\w.]+)/g,
];
const reading = [
  new RegExp(String.raw`\b(?:FROM|JOIN|USING)\s+${name}`, "g"),
  /\bFROM\s+[\w.]+(?: AS \w+)?,\s*([\w.]+)/g,
];
const writingByPrisma = /\bprisma\(\)\s*\.(\w+)\s*\.(?:create|update|upsert|delete)/g;
const readingByPrisma = /\bprisma\(\)\s*\.(\w+)\s*\.(?:find|count|aggregate|groupBy)/g;

function tablesOfModels(schema: string): Map<string, string> {
  const models = schema.matchAll(/^model (\w)(\w+) \{[\s\S]*?@@map\("(\w+)"\)/gm);
  return new Map(
    [...models].map(([, first = "", rest, table = ""]) => [first.toLowerCase() + rest, table]),
  );
}

/** For a template, returns all names that its type allows, or its prefix if the type allows any text. */
function tablesNamed(written: string, text: string): string[] {
  const [, begin = "", variable] = /^([\w.]*)\$\{(\w+)\}$/.exec(written) ?? [];
  if (variable === undefined) return [written];
  const type = new RegExp(String.raw`\b${variable}:((?:\s*\|?\s*"\w+"){2,})`).exec(text)?.[1];
  return type?.match(/\w+/g)?.map((one) => `${begin}${one}`) ?? [`${begin}*`];
}

function usesIn(
  { name: file, text }: SourceFile,
  patterns: readonly RegExp[],
  byPrisma: RegExp,
  models: ReadonlyMap<string, string>,
): TableUse[] {
  const room = /^lib\/([^/]+\/[^/]+)\//.exec(file)?.[1];
  if (room === undefined || file.includes(".test.")) return [];
  const code = text.replace(comment, "");
  const bySql = patterns.flatMap((pattern) =>
    [...code.matchAll(pattern)].flatMap(([, written = ""]) => tablesNamed(written, code)),
  );
  const byModel = [...code.matchAll(byPrisma)].map(([, model = ""]) => models.get(model) ?? model);
  return [...new Set([...bySql, ...byModel])].map((table) => ({ room, table }));
}

const heights = Object.keys(districts);
const heightOf = (room: string) => heights.indexOf(room.split("/")[0] ?? "");
const keyOf = ({ room, table }: TableUse) => `${room}: ${table}`;
const keysOf = (exceptions: typeof writers) =>
  exceptions.flatMap(([room, tables]) => tables.split(" ").map((table) => keyOf({ room, table })));

function byTable(uses: readonly TableUse[]): Map<string, Set<string>> {
  const rooms = new Map<string, Set<string>>();
  for (const { room, table } of uses) rooms.set(table, (rooms.get(table) ?? new Set()).add(room));
  return rooms;
}

export function findSharedTables(
  sources: readonly SourceFile[],
  schema = readFileSync("prisma/schema.prisma", "utf8"),
): string[] {
  const models = tablesOfModels(schema);
  const writes = byTable(sources.flatMap((one) => usesIn(one, writing, writingByPrisma, models)));
  const reads = byTable(sources.flatMap((one) => usesIn(one, reading, readingByPrisma, models)));
  const mayWrite = new Set(keysOf(writers));
  const mayRead = new Set(keysOf(upward));
  const needed = new Set<string>();
  const need = (entry: string) => needed.add(entry);

  const owned = [...writes].map(([table, rooms]) => {
    const owners = [...rooms].filter((room) => !mayWrite.has(keyOf({ room, table })));
    for (const room of rooms) if (!owners.includes(room)) need(`write ${keyOf({ room, table })}`);
    return { table, owners };
  });
  const shared = owned
    .filter(({ owners }) => owners.length !== 1)
    .map(({ table, owners }) => `${table} has ${owners.length} owners: ${owners.join(", ")}`);
  const high = owned.flatMap(({ table, owners }) =>
    [...(reads.get(table) ?? [])]
      .filter((room) => !owners.includes(room))
      .filter((room) => owners.some((owner) => heightOf(owner) > heightOf(room)))
      .filter(
        (room) => !(mayRead.has(keyOf({ room, table })) && need(`read ${keyOf({ room, table })}`)),
      )
      .map((room) => `${room} reads ${table} of ${owners.join(", ")}, a higher district`),
  );
  const entries = [
    ...[...mayWrite].map((key) => `write ${key}`),
    ...[...mayRead].map((key) => `read ${key}`),
  ];
  const idle = entries.filter((entry) => !needed.has(entry));
  return [...shared, ...high, ...idle.map((entry) => `no statement needs "${entry}"`)];
}
