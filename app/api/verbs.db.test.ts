/**
 * The verbs behind the operations, without what the middleware checks: each refuses callers without the permission by
 * itself, because pages, jobs and tools call it too.
 */
import { beforeAll, expect, test, vi } from "vitest";
import { openLinks } from "#lib/links/creating";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { type Call, keyCaller, personCaller } from "../../test/api-callers.ts";
import { readDocument } from "../../test/api-document.ts";
import { examples } from "../../test/api-examples.ts";
import { type Operation, operationsOf } from "../../test/api-operations.ts";
import { makeSubjects, type TestSubjects } from "../../test/api-subjects.ts";
import { joinTestScope, makeTestScope } from "../../test/scope.ts";
import { openTestStores } from "../../test/stores.ts";

vi.mock("./access.ts", async (load) => ({
  ...(await load<typeof import("./access.ts")>()),
  assertAccess: () => undefined,
}));

openTestStores();

let operations: Operation[];
let ada: WorkspaceScope;
let subjects: TestSubjects;

beforeAll(async () => {
  await openLinks();
  ada = await makeTestScope("ada");
  subjects = await makeSubjects(ada);
  operations = operationsOf(await readDocument());
});

function callOf({ id, method, path }: Operation): Call {
  const { id: subject, body, csv, query } = examples[id] ?? {};
  return {
    method,
    path: path.replace(/\{[^}]+\}/, () => (subject ? String(subjects[subject]) : "missing")),
    ...(body ? { body: body(subjects) } : {}),
    ...(csv ? { text: csv, type: "text/csv" } : {}),
    ...(query ? { query: query(subjects) } : {}),
  };
}

test("every verb refuses a viewer, and a key without the scope, by itself", async () => {
  const viewer = await joinTestScope(ada, "viewer", "viewer");
  const session = await personCaller(viewer);
  const problems: string[] = [];
  for (const operation of operations) {
    const { needs } = operation.access;
    if (needs === "any" || needs === "nobody") continue;
    const others = ["links.read", "campaigns.read", "webhooks.read"].filter((one) => one !== needs);
    const callers = [
      ...(viewer.permissions.has(needs) ? [] : [session]),
      await keyCaller(ada, others),
    ];
    for (const ask of callers) {
      const { status } = await ask(callOf(operation));
      if (status !== 403) problems.push(`${operation.method} ${operation.path}: ${status}`);
    }
  }
  expect(problems).toEqual([]);
});
