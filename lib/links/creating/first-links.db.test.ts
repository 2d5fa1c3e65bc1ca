/** The limit of a new workspace on the domains of the instance. */
import { beforeEach, expect, test } from "vitest";
import { newId } from "#lib/basics/ids";
import { editLink } from "#lib/links/editing";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { openWorkspace } from "#lib/tenancy/workspaces";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  createLinks,
  createLinksInBulk,
  duplicateLink,
  openLinks,
  prepareRows,
  writeRows,
} from "./index.ts";

const max = 5;
openTestStores({ FUXI_NEW_WORKSPACE_LINKS: String(max) });

let workspaces = 0;
let scope: WorkspaceScope;

beforeEach(async () => {
  await openLinks();
  workspaces += 1;
  scope = await makeTestScope(`first${workspaces}`);
});

const url = "https://example.com/";

function bodies(count: number, fields: object = {}) {
  return Array.from({ length: count }, () => ({ url, ...fields }));
}

async function create(count: number, fields: object = {}, as = scope): Promise<string[]> {
  const outcomes = await createLinks(as, bodies(count, fields));
  return outcomes.map((outcome) => (outcome.ok ? "created" : outcome.code));
}

function times(count: number, text: string): string[] {
  return Array.from({ length: count }, () => text);
}

async function countLinks(): Promise<number> {
  const [row] = await query<{ links: number }>(sql`
    SELECT count(*)::int AS links FROM link WHERE workspace_pk = ${scope.workspacePk}`);
  return row?.links ?? -1;
}

/** The scope after its workspace became older. */
async function age(hours: number): Promise<WorkspaceScope> {
  await query(sql`
    UPDATE workspace
    SET created_at = created_at - make_interval(secs => ${3_600 * hours})
    WHERE pk = ${scope.workspacePk}`);
  const opened = await openWorkspace(String(scope.userId), scope.slug);
  if (!opened) throw new Error("The workspace can’t be opened");
  return opened;
}

async function addOwnDomain(): Promise<string> {
  const host = `first${workspaces}.example`;
  await query(sql`
    INSERT INTO domain (id, workspace_pk, slug, verified_at)
    VALUES (${newId("dom")}, ${scope.workspacePk}, ${host}, now())`);
  return host;
}

test("a new workspace creates links up to the limit, and the next one is refused with what to do", async () => {
  expect(await create(max)).toEqual(times(max, "created"));
  const [refused] = await createLinks(scope, bodies(1));
  expect(refused).toMatchObject({
    ok: false,
    code: "first_links_used_up",
    details: { max, hours: 24 },
    message: expect.stringMatching(/5 links .* Use your own domain, or try again in 24 hours\./),
  });
  expect(await countLinks()).toBe(max);
});

test("a batch above the limit creates exactly the rest", async () => {
  expect(await create(max - 1)).toEqual(times(max - 1, "created"));
  expect(await create(3)).toEqual(["created", ...times(2, "first_links_used_up")]);
  expect(await countLinks()).toBe(max);
});

test("concurrent creates of every kind together stay at the limit", async () => {
  const options = { source: "api", prefill: false } as const;
  const [singles, batches, bulk] = await Promise.all([
    Promise.all(Array.from({ length: 4 }, () => create(1))),
    Promise.all(
      Array.from({ length: 4 }, (_, at) => create(1, { key: `own-${workspaces}-${at}` })),
    ),
    createLinksInBulk(scope, bodies(4, { keyLength: 9 }), options),
  ]);
  const made = [
    ...singles.flat(),
    ...batches.flat(),
    ...bulk.map(({ ok }) => (ok ? "created" : "")),
  ];
  expect(made.filter((one) => one === "created")).toHaveLength(max);
  expect(await countLinks()).toBe(max);
});

test("a refused slug is free again, and a taken slug uses nothing up", async () => {
  await create(1, { key: `taken-${workspaces}` });
  expect(await create(1, { key: `taken-${workspaces}` })).toEqual(["key_taken"]);
  await create(max - 1);
  expect(await create(1, { key: `late-${workspaces}` })).toEqual(["first_links_used_up"]);
  const older = await age(24);
  expect(await create(1, { key: `late-${workspaces}` }, older)).toEqual(["created"]);
});

test("what the plan refuses is no first link", async () => {
  await query(sql`UPDATE workspace SET plan = 'free' WHERE pk = ${scope.workspacePk}`);
  const limited = await age(0);
  await query(sql`
    INSERT INTO quota_use (workspace_pk, name, month, used)
    VALUES (${scope.workspacePk}, 'links', date_trunc('month', now() AT TIME ZONE 'UTC'), 998)`);
  expect(await create(4, {}, limited)).toEqual([
    ...times(2, "created"),
    ...times(2, "quota_used_up"),
  ]);
  await query(sql`UPDATE workspace SET plan = 'enterprise' WHERE pk = ${scope.workspacePk}`);
  const unlimited = await age(0);
  expect(await create(4, {}, unlimited)).toEqual([
    ...times(max - 2, "created"),
    "first_links_used_up",
  ]);
});

test("links on its own domain are not limited, but moving one to a shared domain counts", async () => {
  const domain = await addOwnDomain();
  expect(await create(max + 1, { domain })).toEqual(times(max + 1, "created"));
  const [own] = await createLinks(scope, [{ url, domain }]);
  const [shared] = await createLinks(scope, [{ url }]);
  if (!own?.ok || !shared?.ok) throw new Error("A link was refused");
  expect(await create(max - 2)).toEqual(times(max - 2, "created"));
  const host = shared.link.domain;
  expect(await editLink(scope, own.link.id, { domain: host })).toMatchObject({ ok: true });
  const [other] = await createLinks(scope, [{ url, domain }]);
  if (!other?.ok) throw new Error("A link was refused");
  expect(
    await editLink(scope, other.link.id, { domain: host, key: `moved${workspaces}` }),
  ).toMatchObject({
    ok: false,
    code: "first_links_used_up",
  });
  const [row] = await query<{ slug: string; key: string }>(sql`
    SELECT domain.slug, link.key
    FROM link
    JOIN domain ON domain.pk = link.domain_pk
    WHERE link.pk = (SELECT max(pk) FROM link WHERE workspace_pk = ${scope.workspacePk} AND key = ${other.link.key})`);
  expect(row).toEqual({ slug: domain, key: other.link.key });
  expect(await editLink(scope, own.link.id, { url: `${url}other` })).toMatchObject({ ok: true });
});

test("a copy counts like any other link", async () => {
  const [first] = await createLinks(scope, [{ url }]);
  if (!first?.ok) throw new Error("A link was refused");
  await create(max - 2);
  expect(await duplicateLink(scope, first.link.id)).toMatchObject({ ok: true });
  expect(await duplicateLink(scope, first.link.id)).toMatchObject({ code: "first_links_used_up" });
});

test("rows of an import above the limit are refused, and those of its own domain are not", async () => {
  const domain = await addOwnDomain();
  const rows = [...bodies(max + 2), ...bodies(2, { domain })];
  const options = { source: "dashboard", prefill: false } as const;
  const prepared = await prepareRows(scope, rows, options, "refuse");
  const hooks = { begin: async () => {}, record: async () => {} };
  const outcomes = await writeRows(prepared, hooks);
  expect(outcomes.map((outcome) => (outcome.ok ? "created" : outcome.code))).toEqual([
    ...times(max, "created"),
    ...times(2, "first_links_used_up"),
    ...times(2, "created"),
  ]);
});

test("the limit ends 24 hours after the workspace was created", async () => {
  // Before the links: they are counted in the month in which the workspace was created.
  const almost = await age(23.9);
  await create(max, {}, almost);
  expect(await create(1, {}, almost)).toEqual(["first_links_used_up"]);
  const older = await age(0.2);
  expect(await create(3, {}, older)).toEqual(times(3, "created"));
});
