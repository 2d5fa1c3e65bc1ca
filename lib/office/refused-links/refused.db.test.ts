/** Links that the lists of the instance refuse, over all workspaces, and the job that turns them off. */
import { beforeAll, beforeEach, expect, test } from "vitest";
import { changeDestinationList, openInstanceLists } from "#lib/destinations/lists";
import { changeListBody } from "#lib/destinations/lists/schema";
import { createLinks, openLinks } from "#lib/links/creating";
import { getLink } from "#lib/links/reading";
import { openCoherence } from "#lib/platform/cache-sync";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listAudit } from "#lib/tenancy/audit";
import type { OperatorScope } from "#lib/tenancy/operators";
import { make } from "../../../test/links.ts";
import { makeTestOperator } from "../../../test/operators.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { disableRefused, findRefusedJob, listRefused, refusedJob } from "./index.ts";
import { disableRefusedBody, type RefusedLink, refusedMax, refusedQuery } from "./schema.ts";

openTestStores();

const good = "https://good.example/";
const evil = "https://evil.example/x";
const reason = "Reported as phishing";
let operator: OperatorScope;
let ada: WorkspaceScope;
let eve: WorkspaceScope;
let made = 0;

beforeAll(async () => {
  openCoherence();
  await openLinks();
  ({ operator } = await makeTestOperator("root"));
});
beforeEach(async () => {
  made += 1;
  await query(sql`DELETE FROM refused_job`);
  await block({ remove: ["evil.example"] });
  await query(sql`UPDATE link SET disabled_at = now() WHERE workspace_pk IS NOT NULL`);
  ada = await makeTestScope(`ada-${made}`);
  eve = await makeTestScope(`eve-${made}`);
});

function block(change: object) {
  const instance = openInstanceLists(operator, "Test of the report");
  return changeDestinationList(instance, "block", changeListBody.parse(change));
}

/** Every page of the report. */
async function reportOf(workspace?: string): Promise<{ links: RefusedLink[]; calls: number }> {
  const links: RefusedLink[] = [];
  let startingAfter: string | undefined;
  for (let calls = 1; ; calls++) {
    const page = await listRefused(operator, { workspace, startingAfter });
    links.push(...page.links);
    expect(page.links.length).toBeLessThanOrEqual(refusedMax);
    if (page.next === null) return { links, calls };
    startingAfter = page.next;
  }
}

async function disabledOf(scope: WorkspaceScope, links: readonly { id: string }[]) {
  return await Promise.all(
    links.map(async ({ id }) => (await getLink(scope, id)).link.disabledAt !== null),
  );
}

test("the report has the refused links of every workspace, each workspace newest first, each once over its pages", async () => {
  const many = Array.from({ length: refusedMax }, (_, at) => ({ url: `${evil}${at}` }));
  const ofAda = await make(ada, [...many, { url: good }, { url: evil, disabled: true }]);
  const ofEve = await make(eve, [{ url: evil }, { url: good, ios: evil }]);
  expect(await reportOf()).toMatchObject({ links: [] });
  await block({ add: ["evil.example"] });
  const { links, calls } = await reportOf();
  expect(calls).toBe(2);
  const idsOf = (scope: WorkspaceScope) =>
    links.filter(({ workspace }) => workspace.id === scope.workspaceId).map(({ id }) => id);
  const expected = ofAda.slice(0, refusedMax).map(({ id }) => id);
  expect(idsOf(ada)).toEqual(expected.toSorted().toReversed());
  expect(idsOf(eve).toSorted()).toEqual(ofEve.map(({ id }) => id).toSorted());
  expect(links).toHaveLength(refusedMax + 2);
  expect(links[0]).toMatchObject({ host: "evil.example", list: "block" });
  expect(links[0]?.workspace).toMatchObject({ slug: ada.slug });
});

test("a page has at most 100 links", async () => {
  await make(
    ada,
    Array.from({ length: refusedMax + 1 }, (_, at) => ({ url: `${evil}${at}` })),
  );
  await block({ add: ["evil.example"] });
  const first = await listRefused(operator, {});
  expect([first.links.length, typeof first.next]).toEqual([refusedMax, "string"]);
  const rest = await listRefused(operator, { startingAfter: first.next ?? "" });
  expect([rest.links.length, rest.next]).toEqual([1, null]);
});

test("a workspace by id or slug, and nothing of the lists of a workspace itself", async () => {
  await make(ada, [{ url: evil }, { url: "https://own.example/" }]);
  await make(eve, [{ url: evil }]);
  await changeDestinationList(ada, "block", changeListBody.parse({ add: ["own.example"] }));
  await block({ add: ["evil.example"] });
  for (const name of [ada.workspaceId, ada.slug]) {
    const { links } = await reportOf(name);
    expect(links.map(({ host, workspace }) => [host, workspace.slug])).toEqual([
      ["evil.example", ada.slug],
    ]);
  }
  await expect(listRefused(operator, { workspace: "nobody" })).rejects.toMatchObject({
    code: "not_found",
  });
});

test("a cursor of another form, or of another workspace, is refused", async () => {
  const ofEve = await nextOf(eve);
  const plain = Buffer.from(`${ada.workspacePk}:ffffffff-ffff-ffff-ffff-ffffffffffff`);
  for (const startingAfter of ["x", "", "MTo", plain.toString("base64url"), ofEve]) {
    const asked = { workspace: ada.slug, startingAfter };
    await expect(listRefused(operator, asked)).rejects.toMatchObject({
      code: "unprocessable_entity",
    });
  }
});

/** The cursor after the first page of a workspace. */
async function nextOf(scope: WorkspaceScope): Promise<string> {
  const bodies = Array.from({ length: refusedMax + 1 }, (_, at) => ({ url: `${evil}${at}` }));
  await make(scope, bodies);
  await block({ add: ["evil.example"] });
  const { next } = await listRefused(operator, { workspace: scope.slug });
  await block({ remove: ["evil.example"] });
  if (next === null) throw new Error("There is no second page");
  return next;
}

test("a cursor tells nothing of a workspace, continues where the page ended, and fits its field", async () => {
  const startingAfter = await nextOf(ada);
  const plain = Buffer.from(startingAfter, "base64url").toString("latin1");
  expect(plain).not.toContain(`${ada.workspacePk}:`);
  expect(refusedQuery.safeParse({ startingAfter }).success).toBe(true);
  await block({ add: ["evil.example"] });
  const { links, next } = await listRefused(operator, { workspace: ada.slug, startingAfter });
  expect([links.length, next]).toEqual([1, null]);
});

test("each workspace in the report reads in its audit log that it was viewed, and no other", async () => {
  await make(ada, [{ url: evil }]);
  await make(eve, [{ url: good }]);
  await block({ add: ["evil.example"] });
  await listRefused(operator, {});
  const looks = async (scope: WorkspaceScope) =>
    (await listAudit(scope, { action: "operator.view", pageSize: 10 })).length;
  expect([await looks(ada), await looks(eve)]).toEqual([1, 0]);
});

test("the job turns off the refused links of all workspaces, once, with its reason in their audit logs", async () => {
  const ofAda = await make(ada, [{ url: evil }, { url: good }]);
  const ofEve = await make(eve, [{ url: evil }]);
  await block({ add: ["evil.example"] });
  const job = await disableRefused(operator, disableRefusedBody.parse({ reason }));
  expect(job).toMatchObject({ state: "running", disabled: 0, workspaceId: null });
  await Promise.all([refusedJob.handle({}), refusedJob.handle({})]);
  await refusedJob.handle({});
  expect(await disabledOf(ada, ofAda)).toEqual([true, false]);
  expect(await disabledOf(eve, ofEve)).toEqual([true]);
  expect(await findRefusedJob(operator)).toMatchObject({ state: "done", disabled: 2 });
  for (const scope of [ada, eve]) {
    const entries = await listAudit(scope, { action: "operator.disable_links", pageSize: 10 });
    expect(entries.map(({ actor, details }) => [actor?.id, details])).toEqual([
      [operator.actor, { reason, name: scope.slug.replace("-space", ""), count: 1 }],
    ]);
    const edits = await listAudit(scope, { action: "link.edit", pageSize: 10 });
    expect(edits.map(({ actor }) => actor?.id)).toEqual([operator.actor]);
  }
  expect(await reportOf()).toMatchObject({ links: [] });
});

test("the job of one workspace leaves the others, and a second one waits for its end", async () => {
  const ofAda = await make(ada, [{ url: evil }]);
  const ofEve = await make(eve, [{ url: evil }]);
  await block({ add: ["evil.example"] });
  const body = disableRefusedBody.parse({ workspace: eve.slug, reason });
  await disableRefused(operator, body);
  await expect(disableRefused(operator, body)).rejects.toMatchObject({ code: "conflict" });
  await refusedJob.handle({});
  expect([await disabledOf(ada, ofAda), await disabledOf(eve, ofEve)]).toEqual([[false], [true]]);
  expect(await disableRefused(operator, body)).toMatchObject({ state: "running" });
});

test("a job that was interrupted continues after its last step", async () => {
  const [first] = await make(ada, [{ url: evil }]);
  const ofEve = await make(eve, [{ url: evil }]);
  await block({ add: ["evil.example"] });
  await disableRefused(operator, disableRefusedBody.parse({ reason }));
  // As after a crash behind the workspace of the first link.
  await query(sql`UPDATE refused_job SET cursor_workspace_pk = ${eve.workspacePk}, checked = 1`);
  await refusedJob.handle({});
  expect(await disabledOf(ada, first ? [first] : [])).toEqual([false]);
  expect(await disabledOf(eve, ofEve)).toEqual([true]);
});

test("without lists nothing is refused, and an allow list refuses all others", async () => {
  const [outcome] = await createLinks(ada, [{ url: good }]);
  expect(outcome?.ok).toBe(true);
  expect((await reportOf()).links).toEqual([]);
  const instance = openInstanceLists(operator, "Test of the report");
  const allow = (change: object) =>
    changeDestinationList(instance, "allow", changeListBody.parse(change));
  await allow({ add: ["only.example"] });
  expect((await reportOf()).links).toMatchObject([{ host: "good.example", list: "allow" }]);
  await allow({ remove: ["only.example"] });
});
