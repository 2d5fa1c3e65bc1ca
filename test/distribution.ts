/**
 * Holds every statement of Fuxi that database tests run to one rule: it names what each distributed table that it reads or
 * writes is distributed by, so that Citus sends it to one shard. Others stand on a short list, each with its reason.
 */
import { readFileSync } from "node:fs";
import { loadModule } from "libpg-query";
import pg from "pg";
import { afterAll, beforeAll } from "vitest";
import { distributedTables } from "../prisma/distribute.ts";
import { tablesWithoutKey } from "./distribution-rule.ts";

interface FanOut {
  file: string;
  /** A part of the statement, with single spaces. */
  part: string;
  why: string;
}

const fanOuts: readonly FanOut[] = JSON.parse(readFileSync("test/fan-outs.json", "utf8"));

/** Statements of Fuxi itself that were run, by their text, with the file that has them. */
const seen = new Map<string, string>();

const framesMax = 40;
/** Not of migrations, whose statements run once. */
const productFile = /[\\/]((?:lib|workers|app|scripts)[\\/][^:)]+\.tsx?)/;

/** They run the statements of others. */
const passedOnBy = [
  "lib/platform/postgres/",
  "lib/platform/traces/",
  "lib/analytics/rollups/dimensions.ts",
];

/** The file that a statement is from: undefined for one of a test. */
function fileOf(stack: string): string | undefined {
  for (const line of stack.split("\n")) {
    if (line.includes("test/distribution.ts")) continue;
    if (/\.test\.ts|[\\/]test[\\/]/.test(line)) return undefined;
    const file = productFile.exec(line)?.[1];
    if (file && !passedOnBy.some((folder) => file.startsWith(folder))) return file;
  }
  return undefined;
}

function textOf(statement: unknown): unknown {
  return statement instanceof Object ? Reflect.get(statement, "text") : undefined;
}

function record(statement: unknown): void {
  const text = typeof statement === "string" ? statement : textOf(statement);
  if (typeof text !== "string" || seen.has(text)) return;
  if (!distributedTables.some(({ table }) => text.includes(table))) return;
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = framesMax;
  const file = fileOf(new Error("where").stack ?? "");
  Error.stackTraceLimit = stackTraceLimit;
  if (file) seen.set(text, file);
}

const patched = Symbol.for("fuxi.recorded-statements");

/** A pool gives the statement to a connection later, where nothing tells who called: both are recorded. */
function recordStatements(): void {
  for (const { prototype } of [pg.Pool, pg.Client]) {
    const kept = Reflect.get(prototype, patched) ?? prototype.query;
    Reflect.set(prototype, patched, kept);
    Reflect.set(prototype, "query", function query(this: unknown, ...args: unknown[]) {
      record(args[0]);
      return Reflect.apply(kept, this, args);
    });
  }
}

beforeAll(async () => {
  await loadModule();
  recordStatements();
});

afterAll(() => {
  const broken = [...seen].flatMap(([text, file]) => {
    const flat = text.replaceAll(/\s+/g, " ");
    const isListed = fanOuts.some((one) => one.file === file && flat.includes(one.part));
    const tables = isListed ? [] : tablesWithoutKey(text);
    return tables.length > 0 ? [`${file}: ${tables.join(", ")}: ${flat}`] : [];
  });
  if (broken.length === 0) return;
  throw new Error(
    `Statements that do not name what Citus distributes a table by (test/distribution.ts):\n${broken.join("\n\n")}`,
  );
});
