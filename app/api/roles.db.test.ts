/**
 * Every operation of the document and the live stream, called by people and keys that have less than the workspace: a
 * viewer, a member without a folder, someone who was removed, an expired key.
 */
import { beforeAll, expect, test } from "vitest";
import { createApiKey } from "#lib/identity/api-keys";
import { createLinks, openLinks } from "#lib/links/creating";
import { createFolder } from "#lib/links/folders";
import { createFolderBody } from "#lib/links/folders/schema";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
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
import { type Operation, operationsOf } from "../../test/api-operations.ts";
import { makeSubjects, missingThings, type TestSubjects } from "../../test/api-subjects.ts";
import { joinTestScope, makeTestScope } from "../../test/scope.ts";
import { openTestStores } from "../../test/stores.ts";
import { listRoutes } from "./index.ts";

openTestStores();

/** Routes outside of the document. */
const undocumented = [
  "GET /api/openapi.json",
  "GET /api/sdk.tgz",
  "GET /api/events/live",
  // Its proof is a signature.
  "POST /api/stripe/webhook",
  // Its proof is the token, and a signature where the gateway has one.
  "POST /api/campaigns/receipts/:token",
  // Its proof is the signature of the provider.
  "POST /api/sso/logout/:provider",
  // Their proof is a public key, from its sites.
  "GET /api/track/script.js",
  "OPTIONS /api/track/click",
  "OPTIONS /api/track/lead/client",
  "OPTIONS /api/track/sale/client",
  "POST /api/track/click",
  "POST /api/track/lead/client",
  "POST /api/track/sale/client",
];
const liveStream: Call = { method: "GET", path: "/api/events/live" };

let operations: Operation[];
let ada: WorkspaceScope;
let viewer: WorkspaceScope;
let member: WorkspaceScope;
/** Created by the owner, in no folder. */
let visible: TestSubjects;
/** The same in a folder that is closed to other members. */
let hidden: TestSubjects;
/** The destination of a hidden link, which callers send too. */
const hiddenUrl = "https://example.com/in-a-closed-folder";
/** The destination of another one, which nobody sends. */
const unsentUrl = "https://example.com/never-sent";

beforeAll(async () => {
  await openLinks();
  ada = await makeTestScope("ada");
  viewer = await joinTestScope(ada, "viewer", "viewer");
  member = await joinTestScope(ada, "member", "member");
  const open = createFolderBody.parse({ name: "Open", accessLevel: "read" });
  visible = { ...(await makeSubjects(ada)), folder: (await createFolder(ada, open)).id };
  hidden = await makeHidden();
  operations = operationsOf(await readDocument());
});

async function makeHidden(): Promise<TestSubjects> {
  const subjects = await makeSubjects(ada);
  const body = createFolderBody.parse({ name: "Closed", accessLevel: null });
  const { id: folderId } = await createFolder(ada, body);
  const [first, second] = await createLinks(ada, [
    { url: hiddenUrl, externalId: "closed-external", folderId, reuse: true },
    { url: unsentUrl, key: "closed-key", folderId },
  ]);
  if (!first?.ok || !second?.ok) throw new Error("The hidden links were refused");
  const { shortLink, domain: shortDomain, key } = second.link;
  const { id: link, externalId } = first.link;
  const named = { shortLink, shortDomain, key, externalId: String(externalId) };
  return { ...subjects, ...named, folder: folderId, link };
}

function exampleOf({ id, method, path }: Operation): Example {
  const example = examples[id];
  if (!example) throw new Error(`test/api-examples.ts has no ${id} (${method} ${path}): add it`);
  return example;
}

function callOf(operation: Operation, subjects: TestSubjects): Call {
  const { id, body, csv, query: values } = exampleOf(operation);
  return {
    method: operation.method,
    path: operation.path.replace(/\{[^}]+\}/, () => (id ? String(subjects[id]) : "missing")),
    ...(body ? { body: body(subjects) } : {}),
    ...(csv ? { text: csv, type: "text/csv" } : {}),
    ...(values ? { query: values(subjects) } : {}),
  };
}

/** The operations with an unexpected response. */
async function failing(
  check: (operation: Operation, example: Example) => Promise<string | undefined>,
): Promise<string[]> {
  const problems: string[] = [];
  for (const operation of operations) {
    const example = exampleOf(operation);
    if (operation.access.needs === "nobody") continue;
    const problem = await check(operation, example);
    if (problem !== undefined) problems.push(`${operation.method} ${operation.path}: ${problem}`);
  }
  return problems;
}

function mayCall({ permissions }: WorkspaceScope, { access: { needs, also } }: Operation): boolean {
  const needed = [needs, also].filter((one) => one !== undefined && one !== "any");
  return needed.every((one) => [...permissions].some((permission) => permission === one));
}

test("every route is an operation of the document, or named in this test", () => {
  const documented = operations.map(
    ({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ":$1")}`,
  );
  const paths = documented.map((one) => one.replace(" /api", " ").replace(" ", " /api"));
  expect(listRoutes().toSorted()).toEqual([...paths, ...undocumented].toSorted());
});

test("a viewer gets a 403 for every change, by session and by key, and reads what is no one’s own", async () => {
  const session = await personCaller(viewer);
  // A key that was created before the role changed.
  const demoted = await joinTestScope(ada, "demoted", "admin");
  const key = await keyCaller(demoted);
  await query(sql`
    UPDATE membership SET role = 'viewer'
    WHERE workspace_pk = ${ada.workspacePk} AND user_pk = ${demoted.userPk}`);
  const problems = await failing(async (operation, example) => {
    const call = callOf(operation, visible);
    const ofSession = mayCall(viewer, operation);
    const answers = [
      unlessExpected(await session(call), ofSession, example),
      unlessExpected(await key(call), ofSession && !operation.access.people, example),
    ];
    return answers.find((one) => one !== undefined);
  });
  expect(problems).toEqual([]);
});

test("a 403 comes before a body is read: a viewer and a key without the scope learn nothing about what is accepted", async () => {
  const session = await personCaller(viewer);
  const key = await keyCaller(ada, ["audit.read"]);
  const wrong = ['{"nonsense": 1}', "{", "[[[[", '"\\u0000"', "x".repeat(1024 * 1024 + 1)];
  const problems = await failing(async (operation) => {
    if (mayCall(viewer, operation) || operation.method === "GET") return undefined;
    const call = callOf(operation, missingThings());
    for (const text of wrong) {
      for (const ask of [session, key]) {
        const { status } = await ask({ method: call.method, path: call.path, text });
        if (status !== 403) return `${status} for ${text.slice(0, 20)}`;
      }
    }
    return undefined;
  });
  expect(problems).toEqual([]);
});

test("an operation asks for a fresh proof exactly where it declares one, before it reads the body", async () => {
  const stale = await joinTestScope(ada, "stale", "admin");
  const session = await personCaller(stale);
  await query(sql`
    UPDATE session
    SET password_at = now() - interval '1 day', email_at = NULL, oauth_at = NULL
    WHERE user_pk = ${stale.userPk}`);
  const problems = await failing(async (operation) => {
    const { method, path } = callOf(operation, missingThings());
    if (method === "GET") return undefined;
    const { text } = await session({ method, path, text: "{" });
    const isAsked = text.includes("proof_needed");
    return isAsked === (operation.access.fresh ?? false) ? undefined : text;
  });
  expect(problems).toEqual([]);
});

/** What is wrong with an answer to the viewer. Imports, jobs and campaigns are shown to the person who started them. */
function unlessExpected(
  { status, text }: CallAnswer,
  isAllowed: boolean,
  example: Example,
): string | undefined {
  const { id, status: usual } = example;
  // A comparison names its campaigns in the query.
  const isComparison = example === examples["compareCampaigns"];
  const isOwn =
    isComparison || (id !== undefined && /^(import|importer|job|campaign)$|source$/i.test(id));
  const refused = isAllowed ? 404 : 403;
  const right = isAllowed && !isOwn ? status < 400 || status === usual : status === refused;
  return right ? undefined : `${status} ${text.slice(0, 200)}`;
}

/** The response without the names of the objects that the call refers to. */
function withoutNames(text: string, subjects: TestSubjects): string {
  const names = Object.values(subjects).toSorted((a, b) => b.length - a.length);
  return names.reduce((left, name) => left.replaceAll(name, "…"), text);
}

/** Kinds of objects that can be in a closed folder. */
const inFolder: readonly string[] = ["link", "folder", "import", "job", "campaign"];

test("a member without a folder gets the answer for a missing object, for everything in it", async () => {
  const ask = await personCaller(member);
  const problems = await failing(async (operation, example) => {
    const { id } = example;
    if (!mayCall(member, operation) || !id || !inFolder.includes(id)) return undefined;
    const { link, folder, import: file, job, campaign } = missingThings();
    const missing = { ...hidden, link, folder, import: file, job, campaign };
    const theirs = await ask(callOf(operation, hidden));
    const none = await ask(callOf(operation, missing));
    if (theirs.status !== 404) return `${theirs.status} ${theirs.text.slice(0, 200)}`;
    const same = withoutNames(theirs.text, hidden) === withoutNames(none.text, missing);
    return same ? undefined : theirs.text;
  });
  expect(problems).toEqual([]);
});

/** Parameters and fields that can name something in a closed folder. */
const references: ReadonlyMap<string, () => string> = new Map([
  ["linkId", () => hidden.link],
  ["linkIds", () => hidden.link],
  ["externalId", () => hidden.externalId],
  ["folderId", () => hidden.folder],
  ["search", () => hiddenUrl],
  ["key", () => hidden.key],
  ["url", () => hidden.shortLink],
  ["domain", () => hidden.shortDomain],
  ["startingAfter", () => hidden.link],
  ["endingBefore", () => hidden.link],
]);

/** The call with each reference to the closed folder, one by one and all at once. */
function referringCalls(operation: Operation): [name: string, call: Call][] {
  const call = callOf(operation, visible);
  const named = operation.parameters.flatMap(({ in: place, name }): [string, string][] => {
    const value = place === "query" ? references.get(name)?.() : undefined;
    return value === undefined ? [] : [[name, value]];
  });
  const calls = named.map(([name, value]): [string, Call] => [
    `?${name}`,
    { ...call, query: { ...call.query, [name]: value } },
  ]);
  const all = { ...call.query, ...Object.fromEntries(named) };
  const rows = operation.body?.items;
  if ((rows ?? operation.body)?.properties?.["url"]) {
    const body = { url: hiddenUrl, reuse: true };
    calls.push(["reuse", { ...call, body: rows ? [body] : body }]);
  }
  return [["", call], ...calls, ["?all", { ...call, query: all }]];
}

/** A response of the member shows nothing of the closed folder. */
function leakIn(text: string, { query: values, body }: Call): string | undefined {
  const sent = `${JSON.stringify(values ?? {})}${JSON.stringify(body ?? {})}`;
  const marks = [hidden.link, hidden.externalId, hidden.folder, hidden.import, unsentUrl];
  return marks.find((mark) => text.includes(mark) && !sent.includes(mark));
}

test("no response to a member has a link, name or destination of a closed folder", async () => {
  const ask = await personCaller(member);
  // Deleted and edited objects are not the subject here, and cannot come back.
  const problems = await failing(async (operation) => {
    if (!mayCall(member, operation) || operation.method === "DELETE") return undefined;
    for (const [name, call] of referringCalls(operation)) {
      const { text } = await ask(call);
      const leak = leakIn(text, call);
      if (leak !== undefined) return `${name} shows ${leak}: ${text.slice(0, 300)}`;
    }
    return undefined;
  });
  expect(problems).toEqual([]);
});

test("a removed member is refused, by session and by key, and an expired key too", async () => {
  const removed = await joinTestScope(ada, "removed", "admin");
  const session = await personCaller(removed);
  const key = await keyCaller(removed);
  await query(sql`
    DELETE FROM membership
    WHERE workspace_pk = ${ada.workspacePk} AND user_pk = ${removed.userPk}`);
  const created = await createApiKey(ada, { name: "Expired" });
  await query(sql`
    UPDATE api_key SET expires_at = now() - interval '1 second' WHERE id = ${created.apiKey.id}`);
  const expired = callerWith({ Authorization: `Bearer ${created.key}` });
  const unknown = callerWith({ Authorization: `Bearer ${created.key}x` });
  const callers: [Caller, number][] = [
    [session, 404],
    [key, 401],
    [expired, 401],
  ];
  const problems = await failing(async (operation) => {
    for (const [at, [ask, refused]] of callers.entries()) {
      const { status, text } = await ask(callOf(operation, visible));
      if (status !== refused) return `caller ${at}: ${status} ${text.slice(0, 200)}`;
    }
    return undefined;
  });
  expect(problems).toEqual([]);
  for (const [ask, refused] of callers) expect((await ask(liveStream)).status).toBe(refused);
  expect((await unknown(liveStream)).status).toBe(401);
});

test("the live stream needs a session or key of the workspace, and analytics", async () => {
  const eve = await makeTestScope("eve");
  const session = await personCaller({ ...eve, slug: ada.slug });
  expect((await session(liveStream)).status).toBe(404);
  expect((await callerWith({})(liveStream)).status).toBe(401);
  const blind = await keyCaller(ada, ["links.read"]);
  expect((await blind(liveStream)).status).toBe(403);
});
