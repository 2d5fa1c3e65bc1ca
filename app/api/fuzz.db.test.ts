/**
 * No request to any operation causes a 5xx: bodies, queries and paths generated from the document, and mutated
 * everywhere. TEST_LONG tries 20,000 calls, otherwise as many as fit into 12 seconds.
 */
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { type CallAnswer, type Caller, keyCaller, personCaller } from "../../test/api-callers.ts";
import {
  type JsonSchema,
  type Operation,
  operationsOf,
  readDocument,
} from "../../test/api-document.ts";
import { makeSubjects, type TestSubjects } from "../../test/api-subjects.ts";
import { makeTestScope } from "../../test/scope.ts";
import { openTestStores } from "../../test/stores.ts";

openTestStores();

const long = Boolean(process.env["TEST_LONG"]);
const callsAtOnce = 20;
const callsMax = 20_000;
const shortMs = 12_000;
const longMs = 15 * 60_000;

let operations: Operation[];
let schemas: Record<string, JsonSchema>;
let subjects: TestSubjects;
let key: Caller;
let person: Caller;

beforeAll(async () => {
  const scope = await makeTestScope("ada");
  await openLinks();
  subjects = await makeSubjects(scope);
  key = await keyCaller(scope);
  person = await personCaller(scope);
  const document = await readDocument();
  operations = operationsOf(document);
  schemas = document.components.schemas;
});

const texts = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "\udfff\ud800",
  "\u202e\u200b\ufeff",
  "e\u0301".repeat(500),
  "😀".repeat(300),
  "x".repeat(40_000),
  "../../etc",
  "%00",
  "%",
  "_root",
  "api",
  "'; DROP TABLE link; --",
  "\\",
  "javascript:alert(1)",
  "https://",
  "http://[::1",
  "https://example.com/\u0001",
  "https://user:pass@exa mple.com",
  "0000-01-01T00:00:00Z",
  "0001-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999Z",
  "9999-12-31T23:59:59-14:00",
  "2026-02-30T00:00:00Z",
  "2026-01-31T24:00:00Z",
  "NaN",
  "-1",
  "1e999",
  "99999999999999999999",
  "true",
  "a,b,,c",
  "-",
  "__proto__",
  "constructor",
];

const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...texts),
  fc.constantFrom<unknown>(null, true, [], {}, [[]], [null], -1, 0, 0.5, 2 ** 31, 2 ** 53, 1e308),
  fc.constantFrom<unknown>({ a: { b: { c: {} } } }, JSON.parse('{"__proto__":{"x":1}}')),
  fc.string({ unit: "binary" }),
  fc.jsonValue(),
);

/** Values that pass the first check, by the name of their field. */
function plausible(name: string): unknown[] {
  const { link, folder, tag, tagName, externalId, shortDomain, domain, user, entry } = subjects;
  const known: Record<string, unknown[]> = {
    url: ["https://example.com/", "https://example.com/?utm_source=a&utm_source=b#c"],
    domain: [shortDomain, domain],
    key: [subjects.key, "free-key", "Ünï/code", "😀", "abc123", "ABCDEFG"],
    linkId: [link],
    linkIds: [link, [link]],
    externalId: [externalId, "another"],
    externalIds: [[externalId], externalId],
    tagId: [tag],
    tagIds: [[tag], tag, [tag, tag]],
    tagNames: [[tagName], tagName],
    ids: [tag],
    folderId: [folder],
    userId: [user],
    actor: [user],
    subject: [link],
    name: ["Name", tagName],
    startingAfter: [link, entry],
    endingBefore: [link, entry],
    expiresAt: ["2100-01-01T00:00:00Z"],
    startsAt: ["2030-01-01T00:00:00+05:30"],
    since: ["2020-01-01T00:00:00Z"],
    allowedAddresses: [["203.0.113.0/24"]],
    scopes: [["links.read"], ["all"]],
    geo: [{ DE: "https://example.de/" }],
    zone: ["Europe/Berlin"],
    action: ["link.*"],
    password: ["correct horse"],
  };
  return known[name] ?? [];
}

/** Mostly valid values, occasionally others. */
function bentOf(schema: JsonSchema, name: string, depth = 0): fc.Arbitrary<unknown> {
  const known = plausible(name);
  return fc.oneof(
    { weight: 8, arbitrary: fittingOf(schema, name, depth) },
    { weight: known.length > 0 ? 16 : 0, arbitrary: fc.constantFrom(...known, null) },
    { weight: 1, arbitrary: hostile },
  );
}

function fittingOf(schema: JsonSchema, name: string, depth: number): fc.Arbitrary<unknown> {
  const referred =
    schema.$ref === undefined ? schema : schemas[schema.$ref.split("/").at(-1) ?? ""];
  if (!referred || depth > 6) return hostile;
  const choices = referred.anyOf ?? referred.oneOf ?? referred.allOf;
  if (choices) return fc.oneof(...choices.map((one) => bentOf(one, name, depth + 1)));
  if (referred.enum) return fc.constantFrom(...referred.enum);
  const types = [referred.type ?? "null"].flat();
  return fc.oneof(...types.map((type) => ofType(type, referred, name, depth)));
}

function ofType(
  type: string,
  schema: JsonSchema,
  name: string,
  depth: number,
): fc.Arbitrary<unknown> {
  if (type === "object") return objectOf(schema, depth);
  if (type === "array") {
    return fc.array(bentOf(schema.items ?? {}, name, depth + 1), { maxLength: 4 });
  }
  if (type === "string") return fc.oneof(fc.string({ unit: "grapheme" }), fc.webUrl(), dates);
  if (type === "boolean") return fc.boolean();
  if (type === "number" || type === "integer") return fc.oneof(fc.integer(), fc.double());
  return fc.constant(null);
}

const dates = fc
  .date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString());

function objectOf(schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  const { properties = {}, additionalProperties: others } = schema;
  const fields = Object.entries(properties).map(([name, inner]) => [
    name,
    bentOf(inner, name, depth + 1),
  ]);
  const known = fc.record(Object.fromEntries(fields), { requiredKeys: [] });
  // Most optional fields are omitted, because one wrong field would always hide the others.
  const few = fc
    .tuple(known, fc.array(fc.nat({ max: 60 }), { maxLength: 6 }))
    .map(([all, picks]) => {
      const names = Object.keys(all);
      const kept = new Set(["url", "name", "data", ...picks.map((at) => names[at % names.length])]);
      return Object.fromEntries(Object.entries(all).filter(([name]) => kept.has(name)));
    });
  if (typeof others !== "object") return few;
  return fc.oneof(
    few,
    fc.dictionary(fc.constantFrom("DE", "US", "x", "\0"), bentOf(others, "", depth + 1)),
  );
}

interface RawCall {
  operation: Operation;
  address: string;
  body: string | undefined;
}

/** A text in URL encoding, sometimes deliberately invalid. */
function encode(text: string): string {
  return text.startsWith("%") ? text : encodeURIComponent(text.toWellFormed());
}

function callOf(operation: Operation): fc.Arbitrary<RawCall> {
  const ids = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...Object.values(subjects)) },
    { weight: 1, arbitrary: fc.constantFrom(...texts.filter((text) => text.length < 2_000)) },
  );
  const queries = operation.parameters.filter((parameter) => parameter.in === "query");
  const query = fc
    .record(
      Object.fromEntries(queries.map(({ name, schema }) => [name, bentOf(schema ?? {}, name)])),
      { requiredKeys: [] },
    )
    .map((values) =>
      Object.entries(values).flatMap(([name, value]) => {
        const shown = typeof value === "string" ? value : JSON.stringify(value);
        return [`${name}=${encode(String(shown).slice(0, 4_000))}`];
      }),
    );
  const address = fc.tuple(ids, query, fc.boolean()).map(([id, pairs, twice]) => {
    const path = operation.path.replace(/\{[^}]+\}/, () => encode(id) || "x");
    const search = twice ? [...pairs, ...pairs.slice(0, 1)] : pairs.slice(0, 3);
    return search.length > 0 ? `${path}?${search.join("&")}` : path;
  });
  const body = operation.body
    ? fc.oneof(
        {
          weight: 15,
          arbitrary: bentOf(operation.body, "").map((value) => JSON.stringify(value)),
        },
        {
          weight: 1,
          arbitrary: fc.constantFrom("", "{", "[", "nul", '"\\ud800"', "[[[[", "1e9999"),
        },
      )
    : fc.constant(undefined);
  return fc.record({ operation: fc.constant(operation), address, body });
}

async function send({ operation, address, body }: RawCall): Promise<CallAnswer> {
  const ask = operation.path.startsWith("/api/api-keys") ? person : key;
  return await ask({ method: operation.method, path: address, ...(body ? { text: body } : {}) });
}

test("no call, however malformed, is answered by a 500", { timeout: longMs + 60_000 }, async () => {
  const statuses = new Map<number, number>();
  const call = fc
    .nat({ max: operations.length - 1 })
    .chain((at) => callOf(operations[at] ?? never()));
  await fc.assert(
    fc.asyncProperty(
      fc.array(call, { minLength: callsAtOnce, maxLength: callsAtOnce, size: "max" }),
      async (calls) => {
        const answers = await Promise.all(calls.map(send));
        for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
        const wrong = answers.flatMap(({ status, text }, at) => {
          const { operation, address, body } = calls[at] ?? never();
          // A store that is slow on a busy machine is no bug; the long run checks that this is rare.
          return status < 500 || status === 503
            ? []
            : [`${operation.method} ${address} ${body} → ${status} ${text}`];
        });
        expect(wrong).toEqual([]);
      },
    ),
    {
      numRuns: callsMax / callsAtOnce,
      interruptAfterTimeLimit: long ? longMs : shortMs,
      markInterruptAsFailure: false,
      endOnFailure: true,
    },
  );
  const sum = [...statuses.values()].reduce((left, right) => left + right, 0);
  process.stdout.write(`${sum} calls: ${JSON.stringify(Object.fromEntries(statuses))}\n`);
  // Calls that were all rejected early would prove nothing.
  expect(statuses.get(503) ?? 0).toBeLessThan(long ? sum / 1_000 : sum / 10);
  expect(statuses.get(200) ?? 0).toBeGreaterThan(sum / 20);
  expect(sum).toBeGreaterThan(long ? callsMax - 1 : 100);
});

function never(): never {
  throw new Error("There is no such operation");
}
