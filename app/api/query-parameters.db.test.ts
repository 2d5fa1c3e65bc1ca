/** Query parameters of every operation of the document: unknown ones are refused or named, and known ones are not ignored. */
import { beforeAll, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { type Caller, keyCaller, personCaller } from "../../test/api-callers.ts";
import { readDocument } from "../../test/api-document.ts";
import { examples } from "../../test/api-examples.ts";
import { type JsonSchema, type Operation, operationsOf } from "../../test/api-operations.ts";
import { makeSubjects, type TestSubjects } from "../../test/api-subjects.ts";
import { makeTestScope } from "../../test/scope.ts";
import { openTestStores } from "../../test/stores.ts";
import { tolerantOperations } from "./unknown-names.ts";

openTestStores();

const walkTimeoutMs = 240_000;

let operations: Operation[];
let subjects: TestSubjects;
let key: Caller;
let person: Caller;

beforeAll(async () => {
  const scope = await makeTestScope("parameters");
  await openLinks();
  subjects = await makeSubjects(scope);
  key = await keyCaller(scope);
  person = await personCaller(scope);
  operations = operationsOf(await readDocument());
});

function ask(
  { id, method, path, access }: Operation,
  query: Record<string, string>,
  body?: unknown,
) {
  const named = examples[id]?.id;
  const place = path.replace(/\{[^}]+\}/, named ? String(subjects[named]) : "missing");
  const call = { method, path: place, query, ...(body ? { body } : {}) };
  return access.people ? person(call) : key(call);
}

test("every operation refuses an unknown parameter, or names it if other services have the operation", {
  timeout: walkTimeoutMs,
}, async () => {
  const problems: string[] = [];
  // Changes would be made by tolerant operations, and are the same code.
  for (const operation of operations) {
    const tolerant = tolerantOperations.has(operation.id);
    if (tolerant && operation.method !== "GET") continue;
    const { query = () => ({}), body } = examples[operation.id] ?? {};
    const asked = { ...query(subjects), unknownName: "1" };
    const { status, text, headers } = await ask(operation, asked, body?.(subjects));
    const right = tolerant
      ? status === 200 && headers.get("x-fuxi-ignored") === "unknownName"
      : status === 422 && text.includes('Unknown query parameter \\"unknownName\\"');
    if (!right) problems.push(`${operation.id}: ${status} ${text.slice(0, 200)}`);
  }
  expect(problems).toEqual([]);
});

test("tolerant operations are documented, and those that ignore fields are tolerant", () => {
  const ids = operations.map(({ id }) => id);
  expect([...tolerantOperations].filter((id) => !ids.includes(id))).toEqual([]);
  const loose = operations.filter(({ body }) => {
    const row = body?.items ?? body;
    return typeof row?.additionalProperties === "object";
  });
  expect(loose.map(({ id }) => id).filter((id) => !tolerantOperations.has(id))).toEqual([]);
});

/** Values that a filter, a choice, a number, a flag, a moment or a cursor does not accept, or that no row has. */
const odd = ["zz-none", "-1", "0", "2", "true", "false", "\u0001", "x".repeat(9_000)];

function choicesOf(schema: JsonSchema = {}): string[] {
  const inner = [...(schema.anyOf ?? []), ...(schema.allOf ?? []), ...(schema.oneOf ?? [])];
  return [...(schema.enum ?? []).map(String), ...inner.flatMap(choicesOf)];
}

test("no list ignores a documented parameter: it has an effect, or a bad value is refused", {
  timeout: walkTimeoutMs,
}, async () => {
  const lists = operations.filter(
    ({ method, schemas, parameters }) =>
      method === "GET" &&
      schemas.some(({ type }) => type === "array") &&
      parameters.some((one) => one.in === "query"),
  );
  const ignored: string[] = [];
  for (const list of lists) {
    const given = examples[list.id]?.query?.(subjects) ?? {};
    const before = await ask(list, given);
    expect(before.status, list.id).toBe(200);
    for (const { name, schema } of list.parameters.filter((one) => one.in === "query")) {
      const matters = async (value: string) => {
        const after = await ask(list, { ...given, [name]: value });
        return after.status === 422 || after.status === 404 || after.text !== before.text;
      };
      const values = [...odd, ...choicesOf(schema)];
      const found = await Promise.all(values.map(matters));
      if (!found.includes(true)) ignored.push(`${list.id}: ${name}`);
    }
  }
  expect(lists.length).toBeGreaterThan(15);
  expect(ignored).toEqual([]);
});
