/**
 * Every server action, called with arguments that its types exclude but that a request can carry: in every place, too
 * few and too many. Actions are found in the sources, so that none can be forgotten.
 */
import pg from "pg";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { openLinks } from "#lib/links/creating";
import { personalActions, workspaceActions } from "../test/action-examples.ts";
import { type Action, findActions } from "../test/actions.ts";
import { cookieOf } from "../test/api-callers.ts";
import { makeSubjects, type TestSubjects } from "../test/api-subjects.ts";
import { makeTestScope } from "../test/scope.ts";
import { openTestStores } from "../test/stores.ts";

const request = vi.hoisted(() => ({ cookie: "", written: 0 }));
vi.mock("next/headers", () => ({
  headers: () =>
    Promise.resolve(
      new Headers({ cookie: request.cookie, "x-forwarded-for": "203.0.113.7", "user-agent": "x" }),
    ),
  cookies: () =>
    Promise.resolve({
      get: () => undefined,
      set: () => {
        request.written += 1;
      },
    }),
}));
vi.mock("next/cache", () => ({ revalidatePath: () => {} }));
vi.mock("next-intl/server", () => ({
  getTranslations: () => Promise.resolve((key: string) => key),
  getLocale: () => Promise.resolve("en"),
  getRequestConfig: () => undefined,
}));

openTestStores();

const queries = vi.spyOn(pg.Client.prototype, "query");
let found: Map<string, Action>;
let subjects: TestSubjects;

beforeAll(async () => {
  await openLinks();
  const ada = await makeTestScope("ada");
  subjects = await makeSubjects(ada);
  request.cookie = await cookieOf(ada);
  found = await findActions();
});

beforeEach(() => {
  queries.mockClear();
  request.written = 0;
});

/** The valid arguments of every action. */
function validCalls(): [name: string, given: unknown[]][] {
  const inWorkspace = Object.entries(workspaceActions).map(
    ([name, { given }]): [string, unknown[]] => [name, ["ada-space", ...given(subjects)]],
  );
  const personal = Object.entries(personalActions).map(([name, { given }]): [string, unknown[]] => [
    name,
    given(subjects),
  ]);
  return [...inWorkspace, ...personal];
}

function formWith(fill: (data: FormData) => void): FormData {
  const data = new FormData();
  data.set("name", "Name");
  fill(data);
  return data;
}

function nestedIn(levels: number): unknown {
  return levels === 0 ? {} : { a: nestedIn(levels - 1) };
}

const ring: unknown[] = [];
ring.push(ring, ring);
const megabyte = "x".repeat(1_000_000);

/** Never an argument. */
const wrong: readonly unknown[] = [
  undefined,
  NaN,
  0.5,
  Number.POSITIVE_INFINITY,
  1n,
  Symbol.iterator,
  () => "x",
  Promise.resolve("x"),
  new Date(0),
  new Map([["x", "x"]]),
  new Set(["x"]),
  new Uint8Array(3),
  new Blob(["x"]),
  new URLSearchParams("name=x"),
  nestedIn(40),
  nestedIn(5_000),
  { toString: () => "x", length: 1 },
  JSON.parse('{"__proto__":{"archived":true},"x":1}'),
  ring,
  [null],
  [[]],
  [megabyte],
  ["a\0b"],
  [{ linkIds: ["\ud800"] }],
  megabyte,
  "a\0b",
  "\ud800",
  formWith((data) => data.set("name", new Blob(["x"]), "x.txt")),
  formWith((data) => data.append("name", "again")),
  formWith((data) => data.set("name", "a\0b")),
  formWith((data) => data.set("\ud800\0", "x")),
  formWith((data) => data.set("name", megabyte)),
  formWith((data) => Array.from({ length: 100 }, (_, at) => data.set(`field${at}`, "x"))),
];

/** Wrong in the place of an argument of another type. */
const typed: readonly unknown[] = [null, true, 7, [], {}, new FormData()];

function kindOf(value: unknown): string {
  if (value instanceof FormData) return "form";
  if (value === null || Array.isArray(value)) return value === null ? "null" : "list";
  return typeof value;
}

/** What an action answers to wrong arguments. */
const refusals = new Set(['{"ok":false,"form":"unknown"}', "[]", undefined]);

/** The problem of an answer that should be a refusal, or nothing. */
async function problemOf(name: string, given: unknown[]): Promise<string | undefined> {
  try {
    const answer = JSON.stringify(await found.get(name)?.(...given));
    return refusals.has(answer) ? undefined : `${name}: ${answer?.slice(0, 200)}`;
  } catch (error) {
    return `${name}: ${error}`;
  }
}

async function problemsOf(calls: [name: string, given: unknown[]][]): Promise<string[]> {
  const problems = await Promise.all(calls.map(([name, given]) => problemOf(name, given)));
  return [...new Set(problems.filter((problem) => problem !== undefined))];
}

test("an argument of a wrong type, length or text is refused in every place, before any query", async () => {
  const calls = validCalls().flatMap(([name, given]) =>
    given.flatMap((valid, at) => {
      const others = typed.filter((value) => kindOf(value) !== kindOf(valid));
      return [...wrong, ...others].map((value): [string, unknown[]] => [
        name,
        given.with(at, value),
      ]);
    }),
  );
  expect(calls.length).toBeGreaterThan(found.size * wrong.length);
  expect(await problemsOf(calls)).toEqual([]);
  expect(queries).not.toHaveBeenCalled();
  expect(request.written).toBe(0);
});

test("a call with missing or with additional arguments is refused before any query", async () => {
  const calls = validCalls().flatMap(([name, given]) =>
    [
      ...given.map((_, at) => given.slice(0, at)),
      [...given, undefined],
      [...given, "x"],
      [...given, new FormData()],
    ].map((some): [string, unknown[]] => [name, some]),
  );
  expect(await problemsOf(calls)).toEqual([]);
  expect(queries).not.toHaveBeenCalled();
  expect(request.written).toBe(0);
});

test.each([
  ["U+0000", String.raw`{"url":"https://example.com/","title":"a\u0000b"}`],
  ["half a character", String.raw`{"url":"https://example.com/","title":"\ud800"}`],
  [
    "too many levels",
    `{"url":"https://example.com/","geo":${"[".repeat(5_000)}${"]".repeat(5_000)}}`,
  ],
])("a link with %s is refused before any query", async (_what, link) => {
  const data = new FormData();
  data.set("link", link);
  expect(await found.get("createLinkAction")?.("ada-space", data)).toMatchObject({ ok: false });
  expect(queries).not.toHaveBeenCalled();
});
