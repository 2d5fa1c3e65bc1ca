/**
 * For tests of the API: calls generated from its OpenAPI document, mostly valid, and mutated everywhere. The same seed
 * generates the same calls.
 */
import fc from "fast-check";
import type { JsonSchema, Operation } from "./api-operations.ts";
import type { TestSubjects } from "./api-subjects.ts";

interface ApiModel {
  operations: readonly Operation[];
  schemas: Readonly<Record<string, JsonSchema>>;
  subjects: TestSubjects;
}

export interface RawCall {
  operation: Operation;
  address: string;
  body: string | undefined;
}

export const hostileTexts = [
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
  fc.constantFrom<unknown>(...hostileTexts),
  fc.constantFrom<unknown>(null, true, [], {}, [[]], [null], -1, 0, 0.5, 2 ** 31, 2 ** 53, 1e308),
  fc.constantFrom<unknown>({ a: { b: { c: {} } } }, JSON.parse('{"__proto__":{"x":1}}')),
  fc.string({ unit: "binary" }),
  fc.jsonValue(),
);

/** Values that pass the first check, by the name of their field. */
function plausible(name: string, subjects: TestSubjects): unknown[] {
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
function bentOf(
  model: ApiModel,
  schema: JsonSchema,
  name: string,
  depth = 0,
): fc.Arbitrary<unknown> {
  const known = plausible(name, model.subjects);
  return fc.oneof(
    { weight: 8, arbitrary: fittingOf(model, schema, name, depth) },
    { weight: known.length > 0 ? 16 : 0, arbitrary: fc.constantFrom(...known, null) },
    { weight: 1, arbitrary: hostile },
  );
}

function fittingOf(
  model: ApiModel,
  schema: JsonSchema,
  name: string,
  depth: number,
): fc.Arbitrary<unknown> {
  const referred =
    schema.$ref === undefined ? schema : model.schemas[schema.$ref.split("/").at(-1) ?? ""];
  if (!referred || depth > 6) return hostile;
  const choices = referred.anyOf ?? referred.oneOf ?? referred.allOf;
  if (choices) return fc.oneof(...choices.map((one) => bentOf(model, one, name, depth + 1)));
  if (referred.enum) return fc.constantFrom(...referred.enum);
  const types = [referred.type ?? "null"].flat();
  return fc.oneof(...types.map((type) => ofType(type, { model, schema: referred, name, depth })));
}

interface Place {
  model: ApiModel;
  schema: JsonSchema;
  name: string;
  depth: number;
}

function ofType(type: string, { model, schema, name, depth }: Place): fc.Arbitrary<unknown> {
  if (type === "object") return objectOf(model, schema, depth);
  if (type === "array") {
    return fc.array(bentOf(model, schema.items ?? {}, name, depth + 1), { maxLength: 4 });
  }
  if (type === "string") return fc.oneof(fc.string({ unit: "grapheme" }), fc.webUrl(), dates);
  if (type === "boolean") return fc.boolean();
  if (type === "number" || type === "integer") return fc.oneof(fc.integer(), fc.double());
  return fc.constant(null);
}

const dates = fc
  .date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString());

function objectOf(model: ApiModel, schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  const { properties = {}, additionalProperties: others } = schema;
  const fields = Object.entries(properties).map(([name, inner]) => [
    name,
    bentOf(model, inner, name, depth + 1),
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
    fc.dictionary(fc.constantFrom("DE", "US", "x", "\0"), bentOf(model, others, "", depth + 1)),
  );
}

/** A text in URL encoding, sometimes deliberately invalid. */
function encode(text: string): string {
  return text.startsWith("%") ? text : encodeURIComponent(text.toWellFormed());
}

/** A call of one of the operations. */
export function arbitraryCall(model: ApiModel): fc.Arbitrary<RawCall> {
  return fc.constantFrom(...model.operations).chain((operation) => callOf(model, operation));
}

/** A body of an operation, mostly valid. */
export function arbitraryBody(model: ApiModel, operationId: string): fc.Arbitrary<unknown> {
  const operation = model.operations.find(({ id }) => id === operationId);
  if (!operation?.body) throw new Error(`There is no operation ${operationId} with a body`);
  return bentOf(model, operation.body, "");
}

function callOf(model: ApiModel, operation: Operation): fc.Arbitrary<RawCall> {
  const ids = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...Object.values(model.subjects)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...hostileTexts.filter((text) => text.length < 2_000)),
    },
  );
  const queries = operation.parameters.filter((parameter) => parameter.in === "query");
  const query = fc
    .record(
      Object.fromEntries(
        queries.map(({ name, schema }) => [name, bentOf(model, schema ?? {}, name)]),
      ),
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
          arbitrary: bentOf(model, operation.body, "").map((value) => JSON.stringify(value)),
        },
        {
          weight: 1,
          arbitrary: fc.constantFrom("", "{", "[", "nul", '"\\ud800"', "[[[[", "1e9999"),
        },
      )
    : fc.constant(undefined);
  return fc.record({ operation: fc.constant(operation), address, body });
}
