import { beforeAll, expect, test } from "vitest";
import { beginSession } from "#lib/identity/sessions";
import { createLinks, openLinks } from "#lib/links/creating";
import { createLinkBody, type Link } from "#lib/links/fields/schema";
import { createFolder } from "#lib/links/folders";
import { findDomain } from "#lib/links/hosts";
import { getLink, listLinks } from "#lib/links/reading";
import { listLinksQuery } from "#lib/links/reading/schema";
import { createTag } from "#lib/links/tags";
import { openCoherence } from "#lib/platform/cache-sync";
import { AppError } from "#lib/platform/errors";
import { query, sql } from "#lib/platform/postgres";
import { prisma } from "#lib/platform/prisma";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { plans } from "#lib/tenancy/plans";
import { createWorkspace, openWorkspace } from "#lib/tenancy/workspaces";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { clearDomains } from "./domain-links.ts";
import { createDomain, getDomain, makePrimary } from "./index.ts";
import { createDomainBody } from "./schema.ts";
import { transferDomain } from "./transfer.ts";

openTestStores();

let left: WorkspaceScope;
let right: WorkspaceScope;

beforeAll(async () => {
  openCoherence();
  await openLinks();
  left = await makeTestScope("left");
  await createWorkspace(String(left.userId), { name: "Right", slug: "right" });
  const opened = await openWorkspace(String(left.userId), "right");
  if (!opened) throw new Error("The workspace cannot be opened");
  right = opened;
});

async function addDomain(slug: string): Promise<number> {
  await createDomain(left, createDomainBody.parse({ slug }));
  const domain = await findDomain(left, slug);
  if (!domain) throw new Error(`${slug} is not found`);
  return domain.pk;
}

async function makeLink(scope: WorkspaceScope, body: object): Promise<Link> {
  const given = createLinkBody.parse({ url: "https://example.com", ...body });
  const [outcome] = await createLinks(scope, [given], { source: "dashboard", prefill: true });
  if (!outcome?.ok) throw new Error(outcome?.message);
  return outcome.link;
}

async function search(scope: WorkspaceScope, text: string): Promise<string[]> {
  const found = await listLinks(scope, listLinksQuery.parse({ search: text }));
  return found.map(({ id }) => id);
}

function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "ok",
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );
}

/** Makes everything due that is due in a minute. */
async function letTimePass(): Promise<void> {
  await query(sql`UPDATE domain_clearing SET due_at = now() - interval '1 second'`);
}

test("links move with their domain, keep their fields, and lose what only the old workspace has", async () => {
  await addDomain("moved.localhost");
  await makePrimary(left, "moved.localhost");
  const tag = await createTag(left, { name: "Old" });
  const folder = await createFolder(left, { name: "Old", accessLevel: "write" });
  const named = await makeLink(left, {
    domain: "moved.localhost",
    key: "named",
    title: "Wanderer",
    externalId: "own-1",
    tagIds: [tag.id],
    folderId: folder.id,
  });
  const code = await makeLink(left, { domain: "moved.localhost", title: "Wanderer too" });
  await makeLink(left, { domain: "localhost", title: "Stays" });
  await query(sql`
    INSERT INTO link_stat (link_pk, workspace_pk, clicks)
    SELECT link_pk, ${left.workspacePk}, 7
    FROM alias
    WHERE key = 'named'`);
  const moved = await transferDomain(left, "moved.localhost", right.workspaceId);
  expect(moved).toMatchObject({ verified: true, primary: false });
  expect(await codeOf(getLink(left, named.id))).toBe("not_found");
  expect((await getLink(right, code.id)).link).toMatchObject({ key: code.key });
  expect((await getLink(right, named.id)).link).toMatchObject({
    key: "named",
    externalId: "own-1",
    workspaceId: right.workspaceId,
    clicks: 7,
    tags: [],
    folderId: null,
  });
  expect((await search(right, "wanderer")).toSorted()).toEqual([named.id, code.id].toSorted());
  expect(await search(left, "wanderer")).toEqual([]);
  expect(await findDomain(left, "moved.localhost")).toBeUndefined();
  expect((await findDomain(left, undefined))?.slug).toBe("localhost");
  expect((await findDomain(right, "moved.localhost"))?.workspacePk).toBe(right.workspacePk);
  for (const { workspacePk } of [left, right]) {
    const auditFilter = { workspacePk, action: "domain.transfer", subject: moved.id };
    expect(await prisma().auditEntry.count({ where: auditFilter })).toBe(1);
  }
  expect(await prisma().cacheChange.count()).toBe(0);
});

test("a link being written when its domain left is cleared, and moved links stay", async () => {
  const pk = await addDomain("late.localhost");
  await makeLink(left, { domain: "late.localhost", key: "kept" });
  await transferDomain(left, "late.localhost", right.workspaceId);
  await query(sql`
    INSERT INTO link (pk, id, workspace_pk, domain_pk, key, url)
    SELECT max(pk) + 1, gen_random_uuid(), ${left.workspacePk}, ${pk}::int, 'late', 'https://example.com'
    FROM link`);
  await letTimePass();
  await clearDomains();
  const rows = await prisma().link.findMany({ where: { domainPk: pk } });
  expect(rows.map(({ key }) => key)).toEqual(["_root", "kept"]);
});

test("a domain that returns within the minute keeps all of its links", async () => {
  const pk = await addDomain("back.localhost");
  await makeLink(left, { domain: "back.localhost", key: "kept" });
  await transferDomain(left, "back.localhost", right.workspaceId);
  await transferDomain(right, "back.localhost", left.workspaceId);
  await letTimePass();
  await clearDomains();
  expect(await prisma().link.count({ where: { domainPk: pk } })).toBe(2);
  expect((await getDomain(left, "back.localhost")).verified).toBe(true);
});

test("two domains that move in opposite directions at once both arrive", async () => {
  for (let round = 0; round < 5; round++) {
    await addDomain(`there-${round}.localhost`);
    await addDomain(`here-${round}.localhost`);
    await transferDomain(left, `here-${round}.localhost`, right.workspaceId);
    await Promise.all([
      transferDomain(left, `there-${round}.localhost`, right.workspaceId),
      transferDomain(right, `here-${round}.localhost`, left.workspaceId),
    ]);
    expect(await getDomain(right, `there-${round}.localhost`)).toBeDefined();
    expect(await getDomain(left, `here-${round}.localhost`)).toBeDefined();
  }
});

test("a transfer that would break an externalId is refused and changes nothing", async () => {
  await addDomain("shared.localhost");
  const link = await makeLink(left, { domain: "shared.localhost", externalId: "both" });
  await makeLink(right, { domain: "localhost", externalId: "both" });
  expect(await codeOf(transferDomain(left, "shared.localhost", right.workspaceId))).toBe(
    "conflict",
  );
  expect((await getLink(left, link.id)).link.externalId).toBe("both");
  expect(await getDomain(left, "shared.localhost")).toBeDefined();
});

test("10,000 links move at once, and one more is refused", async () => {
  const pk = await addDomain("large.localhost");
  const fill = (links: number) =>
    query(sql`
      INSERT INTO link (pk, id, workspace_pk, domain_pk, key, url)
      SELECT
        1000000000 + n, gen_random_uuid(), ${left.workspacePk}, ${pk}::int, 'k' || n,
        'https://example.com'
      FROM generate_series(1, ${links}::int) AS n`);
  await fill(10_001);
  expect(await codeOf(transferDomain(left, "large.localhost", right.workspaceId))).toBe("conflict");
  await query(sql`DELETE FROM link WHERE domain_pk = ${pk} AND key = 'k1'`);
  expect(await codeOf(transferDomain(left, "large.localhost", right.workspaceId))).toBe("ok");
  const where = { domainPk: pk, workspacePk: right.workspacePk };
  // With the root link of the domain.
  expect(await prisma().link.count({ where })).toBe(10_001);
});

test("a workspace gets its 1,000th domain, and not one more", async () => {
  await addDomain("thousandth.localhost");
  const { workspacePk } = right;
  await query(sql`
    INSERT INTO domain (id, workspace_pk, slug)
    SELECT 'dom_full' || n, ${workspacePk}, 'full' || n || '.example'
    FROM generate_series(1, 1000 - (
      SELECT count(*)::int FROM domain WHERE workspace_pk = ${workspacePk}
    )) AS n`);
  const give = () => codeOf(transferDomain(left, "thousandth.localhost", right.workspaceId));
  expect(await give()).toBe("forbidden");
  await query(sql`DELETE FROM domain WHERE id = 'dom_full1'`);
  expect(await give()).toBe("ok");
  expect(await prisma().domain.count({ where: { workspacePk } })).toBe(1_000);
  await query(sql`DELETE FROM domain WHERE id LIKE 'dom_full%'`);
});

test("only owners and admins of both workspaces transfer, as far as the plan of the other allows", async () => {
  await addDomain("mine.localhost");
  const give = (scope: WorkspaceScope, id: string) =>
    codeOf(transferDomain(scope, "mine.localhost", id));
  const stranger = await makeTestScope("stranger");
  expect(await give(left, stranger.workspaceId)).toBe("not_found");
  expect(await give(left, "ws_none")).toBe("not_found");
  expect(await give(left, left.workspaceId)).toBe("unprocessable_entity");
  expect(await give(stranger, stranger.workspaceId)).toBe("unprocessable_entity");
  expect(await give({ ...left, apiKeyPk: 1 }, right.workspaceId)).toBe("forbidden");
  const member = await joinTestScope(left, "member", "member");
  expect(await give(member, right.workspaceId)).toBe("forbidden");
  const admin = await joinTestScope(left, "admin", "admin");
  expect(await give(admin, right.workspaceId)).toBe("not_found");
  await query(sql`
    INSERT INTO membership (workspace_pk, user_pk, role)
    VALUES (${right.workspacePk}, ${admin.userPk}, 'member')`);
  expect(await give(admin, right.workspaceId)).toBe("forbidden");
  await createWorkspace(String(left.userId), { name: "Free", slug: "free" });
  const free = await openWorkspace(String(left.userId), "free");
  if (!free) throw new Error("The workspace cannot be opened");
  await query(sql`UPDATE workspace SET plan = 'free' WHERE pk = ${free.workspacePk}`);
  for (let at = 0; at < plans.free.limits.domains; at++) {
    await createDomain(free, createDomainBody.parse({ slug: `free-${at}.example` }));
  }
  expect(await give(left, free.workspaceId)).toBe("forbidden");
  expect(await getDomain(left, "mine.localhost")).toBeDefined();
});

test("a session of the workspace’s OpenID provider transfers nothing to another workspace of the person", async () => {
  await addDomain("bound.localhost");
  const id = await beginSession(String(left.userId), "", ["oauth"]);
  await query(sql`
    WITH provider AS (
      INSERT INTO sso_provider
        (id, workspace_pk, name, issuer, client_id, sealed, scope, groups_claim, default_role)
      VALUES ('sso_1', ${left.workspacePk}, 'T', 'https://a.example', 'c', '', 'openid', 'g', 'member')
      RETURNING pk
    )
    UPDATE session SET sso_provider_pk = provider.pk FROM provider WHERE session.id = ${id}`);
  const bound = await openWorkspace(String(left.userId), left.slug, id);
  if (!bound) throw new Error("The session opens nothing");
  const outcome = codeOf(transferDomain(bound, "bound.localhost", right.workspaceId));
  expect(await outcome).toBe("not_found");
});
