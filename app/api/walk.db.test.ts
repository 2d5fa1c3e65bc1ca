/**
 * Every operation of the document, called without permission: without credentials, with a key without the scope, from
 * another workspace.
 *
 * The operations come from the document itself, and who may call them from their declarations. One that is missing in
 * the table of examples fails the test, so that it cannot be forgotten; one line gives a valid call.
 */
import { beforeAll, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { openAnswerCheck } from "../../test/api-answers.ts";
import {
  type Call,
  type CallAnswer,
  type Caller,
  callerWith,
  keyCaller,
  personCaller,
} from "../../test/api-callers.ts";
import { readDocument } from "../../test/api-document.ts";
import { type Example, examples } from "../../test/api-examples.ts";
import { type JsonSchema, type Operation, operationsOf } from "../../test/api-operations.ts";
import {
  makeSubjects,
  missingThings,
  openSubjects,
  type TestSubjects,
} from "../../test/api-subjects.ts";
import { makeTestScope } from "../../test/scope.ts";
import { openTestStores } from "../../test/stores.ts";
import type { Access } from "./access.ts";

/** A call of everything there is. */
const walkTimeoutMs = 240_000;

openTestStores();

/** Parameters and fields that can refer to objects of other workspaces, and to which. */
const references: Record<string, keyof TestSubjects> = {
  linkId: "link",
  linkIds: "link",
  externalId: "externalId",
  externalIds: "externalId",
  tagId: "tag",
  tagIds: "tag",
  tagNames: "tagName",
  ids: "tag",
  folderId: "folder",
  userId: "user",
  domain: "domain",
  template: "qrTemplate",
  workspaceId: "otherWorkspace",
  key: "key",
  url: "shortLink",
  actor: "user",
  subject: "link",
};

let operations: Operation[];
let ada: WorkspaceScope;
let eve: WorkspaceScope;
let adas: TestSubjects;
let eves: TestSubjects;
let evesKey: Caller;
let evePerson: Caller;

beforeAll(async () => {
  ada = await makeTestScope("ada");
  eve = await makeTestScope("eve");
  await openLinks();
  adas = await makeSubjects(ada);
  eves = await makeSubjects(eve);
  evesKey = await keyCaller(eve);
  evePerson = await personCaller(eve);
  operations = operationsOf(await readDocument());
});

function exampleOf({ id, method, path }: Operation): Example {
  const example = examples[id];
  if (!example) throw new Error(`The table of this walk has no ${id} (${method} ${path}): add it`);
  return example;
}

function callOf(operation: Operation, subjects: TestSubjects): Call {
  const { id, body, csv, query } = exampleOf(operation);
  const path = operation.path.replace(/\{[^}]+\}/, () => (id ? String(subjects[id]) : "missing"));
  return {
    method: operation.method,
    path,
    ...(body ? { body: body(subjects) } : {}),
    ...(csv ? { text: csv, type: "text/csv" } : {}),
    ...(query ? { query: query(subjects) } : {}),
  };
}

function labelOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

/** The operations with an unexpected response. */
async function failing(
  chosen: (example: Example, operation: Operation) => boolean,
  check: (operation: Operation, example: Example) => Promise<string | undefined>,
): Promise<string[]> {
  const problems: string[] = [];
  let calls = 0;
  for (const operation of operations) {
    const example = exampleOf(operation);
    if (!chosen(example, operation)) continue;
    calls += 1;
    const problem = await check(operation, example);
    if (problem !== undefined) problems.push(`${labelOf(operation)}: ${problem}`);
  }
  expect(calls).toBeGreaterThan(0);
  return problems;
}

test("the table has every operation, no other, and the object of each path", () => {
  const documented = operations.map(({ id }) => id);
  expect(Object.keys(examples).toSorted()).toEqual(documented.toSorted());
  const nameless = operations.filter(
    (one) => /\{/.test(one.path) !== (exampleOf(one).id !== undefined),
  );
  expect(nameless.map(labelOf)).toEqual([]);
});

/** Names of fields with what is known about people. */
const personalNames = /^(?:phones?|email|openid|unionid|nickname|avatar|picture|answers|customer)$/;

test("every operation that shows or takes what is known about people declares it", async () => {
  const { components } = await readDocument();
  const hidden = operations.filter(({ access, schemas }) => {
    const names = schemas.flatMap((schema) => [...namesIn(schema, components.schemas)]);
    return !access.personal && names.some((name) => personalNames.test(name));
  });
  expect(hidden.map(labelOf)).toEqual([]);
});

/** The names of all fields of a schema. */
function namesIn(
  schema: JsonSchema,
  all: Record<string, JsonSchema>,
  seen = new Set<string>(),
): Set<string> {
  const { $ref: ref = "", properties = {}, items, additionalProperties: more } = schema;
  const name = ref.split("/").at(-1) ?? "";
  const target = seen.has(name) ? undefined : all[name];
  seen.add(name);
  const inner = [target, items, typeof more === "object" ? more : undefined];
  const choices = [schema.anyOf, schema.allOf, schema.oneOf].flatMap((one) => one ?? []);
  const parts = [
    ...inner.filter((one) => one !== undefined),
    ...choices,
    ...Object.values(properties),
  ];
  return new Set([
    ...Object.keys(properties),
    ...parts.flatMap((one) => [...namesIn(one, all, seen)]),
  ]);
}

test("without a key every operation is a 401", async () => {
  const nobody = callerWith({});
  const problems = await failing(
    (_, { access }) => access.needs !== "nobody",
    async (operation) => {
      const { status } = await nobody(callOf(operation, adas));
      return status === 401 ? undefined : String(status);
    },
  );
  expect(problems).toEqual([]);
});

/** The scopes that operations need of keys. */
const keyScopes = () =>
  new Set(operations.flatMap(({ access }) => (isForKeys(access) ? [access.needs] : [])));

function isForKeys({ needs, people }: Access): boolean {
  return !people && needs !== "any" && needs !== "nobody";
}

test("a key with every scope but the required one is a 403, and one with that scope alone is admitted", async () => {
  const all = [...keyScopes()];
  const without = new Map<string, Caller>();
  const only = new Map<string, Caller>();
  for (const scope of all) {
    without.set(
      scope,
      await keyCaller(
        ada,
        all.filter((one) => one !== scope),
      ),
    );
    only.set(scope, await keyCaller(ada, [scope]));
  }
  const problems = await failing(
    (_, { access }) => isForKeys(access),
    async (operation) => {
      const { needs, also } = operation.access;
      const call = callOf(operation, missingThings());
      const refused = await without.get(needs)?.(call);
      const both = also === undefined ? only.get(needs) : await keyCaller(ada, [needs, also]);
      const admitted = await both?.(call);
      if (refused?.status !== 403) return `${refused?.status} without ${needs}`;
      return [401, 403].includes(admitted?.status ?? 0) ? `${admitted?.status} with it` : undefined;
    },
  );
  expect(problems).toEqual([]);
});

test("operations reserved for people are a 403 for a key with all scopes", async () => {
  const key = await keyCaller(ada);
  const problems = await failing(
    (_, { access }) => access.people === true,
    async (operation) => {
      const { status } = await key(callOf(operation, adas));
      return status === 403 ? undefined : String(status);
    },
  );
  expect(problems).toEqual([]);
});

function evesCaller({ access }: Operation): Caller {
  return access.people ? evePerson : evesKey;
}

/** A response without the names that it repeats. */
function withoutIds(text: string, subjects: TestSubjects): string {
  // Longest first: some names are part of others.
  const names = Object.values(subjects).toSorted((a, b) => b.length - a.length);
  return names.reduce((left, name) => left.replaceAll(name, "…"), text);
}

test("an id of another workspace is a 404 with the same text as that of a missing one", async () => {
  const problems = await failing(
    // What anyone reads belongs to nobody.
    ({ id }, { access }) => id !== undefined && access.needs !== "nobody",
    async (operation) => {
      const ask = evesCaller(operation);
      const missing = missingThings();
      const theirs = await ask(callOf(operation, adas));
      if (theirs.status !== 404) return String(theirs.status);
      return difference(theirs, await ask(callOf(operation, missing)), missing);
    },
  );
  expect(problems).toEqual([]);
});

type NamedCall = [name: string, call: Call];

/** Calls with one object of another workspace in a query or body. */
function referringCalls(operation: Operation, subjects: TestSubjects): NamedCall[] {
  return [...queryCalls(operation, subjects), ...bodyCalls(operation, subjects)];
}

function queryCalls(operation: Operation, subjects: TestSubjects): NamedCall[] {
  const call = callOf(operation, eves);
  return operation.parameters.flatMap(({ in: place, name }): NamedCall[] => {
    const reference = place === "query" ? references[name] : undefined;
    if (!reference) return [];
    return [[`?${name}`, { ...call, query: { ...call.query, [name]: subjects[reference] } }]];
  });
}

/** Values that belong to a link and do not refer to anything. */
const ownFields = ["key", "url", "externalId", "tagNames"];

function bodyCalls(operation: Operation, subjects: TestSubjects): NamedCall[] {
  const call = callOf(operation, eves);
  const rows = operation.body?.items;
  const row = Object(rows && Array.isArray(call.body) ? call.body[0] : call.body);
  return Object.keys((rows ?? operation.body)?.properties ?? {}).flatMap((name): NamedCall[] => {
    const reference = ownFields.includes(name) ? undefined : references[name];
    if (!reference) return [];
    const body = {
      ...row,
      [name]: name.endsWith("s") ? [subjects[reference]] : subjects[reference],
    };
    return [[name, { ...call, body: rows ? [body] : body }]];
  });
}

/** The difference between the response for another workspace's object and that for a missing one. */
function difference(
  theirs: CallAnswer,
  missed: CallAnswer,
  missing: TestSubjects,
): string | undefined {
  if (theirs.status !== missed.status) return `${theirs.status}, not ${missed.status}`;
  if (withoutIds(theirs.text, adas) === withoutIds(missed.text, missing)) return undefined;
  if (theirs.status < 400) return theirs.text.includes(adas.link) ? "shows a link" : undefined;
  return theirs.text;
}

test("objects of another workspace in a query or body are answered exactly like missing ones", async () => {
  const problems = await failing(
    () => true,
    async (operation) => {
      const ask = evesCaller(operation);
      const missing = missingThings();
      const calls = referringCalls(operation, adas);
      for (const [at, [name, counterpart]] of referringCalls(operation, missing).entries()) {
        const call = calls[at]?.[1];
        const found = call && difference(await ask(call), await ask(counterpart), missing);
        if (found !== undefined) return `${name}: ${found}`;
      }
      return undefined;
    },
  );
  expect(problems).toEqual([]);
});

test("the same calls succeed for authorized callers with the documented answers, and the refused ones have changed nothing", {
  timeout: walkTimeoutMs,
}, async () => {
  const checkAnswer = openAnswerCheck(await readDocument());
  const key = await keyCaller(ada);
  const person = await personCaller(ada);
  const link = await key({ method: "GET", path: `/api/links/${adas.link}` });
  expect(JSON.parse(link.text)).toMatchObject({ id: adas.link, key: adas.key, title: null });
  const subjects = openSubjects(ada);
  const problems = await failing(
    () => true,
    async (operation, { status: expected }) => {
      const given = (some: TestSubjects) => callOf(operation, some);
      const ask = operation.access.people ? person : key;
      const answer = await ask(given(await subjects.for(given)));
      const { status, text } = answer;
      // Reading changes nothing.
      if (operation.method !== "GET") subjects.outdate(given);
      const right = expected === undefined ? status >= 200 && status < 300 : status === expected;
      return right ? checkAnswer(operation, answer) : `${status} ${text}`;
    },
  );
  expect(problems).toEqual([]);
});
