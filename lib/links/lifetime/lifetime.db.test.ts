import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { eraseDue } from "#lib/analytics/rollups";
import { parseId } from "#lib/basics/ids";
import { openLinks } from "#lib/links/creating";
import { editLink } from "#lib/links/editing";
import { plainDesign } from "#lib/links/qr-design/schema";
import { openCoherence } from "#lib/platform/cache-sync";
import { config } from "#lib/platform/config";
import { query, sql, transaction } from "#lib/platform/postgres";
import { reopenScope, type WorkspaceScope } from "#lib/tenancy/access";
import { listNotifications } from "#lib/tenancy/notifications";
import { updateWorkspace } from "#lib/tenancy/workspaces";
import { keysOf, list, make } from "../../../test/links.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  keepRetiring,
  readRetirement,
  readRetirementDefault,
  retirementJobs,
  runRounds,
} from "./index.ts";

openTestStores();
beforeAll(async () => {
  openCoherence();
  await openLinks();
});

const dayMs = 86_400_000;
const start = Date.now();
const day = (days: number) => new Date(start + days * dayMs);
const url = "https://example.com/retiring";
let scopes = 0;

async function newScope(): Promise<WorkspaceScope> {
  scopes += 1;
  return await makeTestScope(`lifetime${scopes}`);
}

/** Makes links look like those of an API key. */
async function makeOfApi(scope: WorkspaceScope, count: number, body: object = {}) {
  const links = await make(
    scope,
    Array.from({ length: count }, () => ({ url, ...body })),
  );
  await query(sql`
    UPDATE link SET api_key_pk = 1
    WHERE id = ANY(${links.map(({ id }) => parseId("link", id))}::uuid[])`);
  return links;
}

async function visit(id: string, at: Date): Promise<void> {
  await query(sql`
    INSERT INTO link_stat (link_pk, workspace_pk, clicks, last_click_at)
    SELECT pk, workspace_pk, 1, ${at} FROM link WHERE id = ${parseId("link", id)}::uuid
    ON CONFLICT (link_pk) DO UPDATE SET clicks = link_stat.clicks + 1, last_click_at = ${at}`);
}

async function rowOf(id: string) {
  const [row] = await query<{ retires_at: Date | null; retired_at: Date | null; revision: number }>(
    sql`
      SELECT retires_at, retired_at, revision
      FROM link WHERE id = ${parseId("link", id)}::uuid`,
  );
  return row;
}

/** Every round twice: the second finds nothing to do. */
async function runTwice(now: Date) {
  const counts = await runRounds(now, { pauseShare: 0, batch: 3 });
  expect(await runRounds(now, { pauseShare: 0 })).toMatchObject({ rounds: 0 });
  await query(sql`UPDATE retirement_round SET next_at = '-infinity', checked_at = NULL`);
  expect(await runRounds(now, { pauseShare: 0, batch: 3 })).toMatchObject({
    dated: 0,
    warned: 0,
    retired: 0,
    deleted: 0,
  });
  return counts;
}

test("a link of the API retires two years after its last visit, one of a person never", async () => {
  const scope = await newScope();
  const [api] = await makeOfApi(scope, 1);
  const [person] = await make(scope, [{ url }]);
  if (!api || !person) throw new Error("not made");
  expect(await readRetirement(scope, person.id)).toMatchObject({ retiresAt: null, own: false });
  await visit(api.id, day(600));
  for (const days of [670, 700, 729, 731, 1_300, 1_329]) {
    await runTwice(day(days));
    expect((await rowOf(api.id))?.retired_at, `after ${days} days`).toBeNull();
  }
  await runTwice(day(1_331));
  expect((await rowOf(api.id))?.retired_at).toEqual(day(1_331));
  expect((await rowOf(person.id))?.retires_at).toBeNull();
  expect(await keysOf(scope, {})).toEqual([person.key]);
  expect(await keysOf(scope, { status: "retired" })).toEqual([api.key]);
});

test("the nearest setting wins: link over workspace over plan over instance", async () => {
  const scope = await newScope();
  const [byRule, own, kept] = await makeOfApi(scope, 3);
  if (!byRule || !own || !kept) throw new Error("not made");
  const dateOf = async () => (await readRetirement(scope, byRule.id))?.retiresAt?.slice(0, 10);
  const created = Date.parse(byRule.createdAt);
  const after = (days: number) => new Date(created + days * dayMs).toISOString().slice(0, 10);
  expect(await dateOf()).toBe(after(730));
  await query(sql`UPDATE workspace SET plan = 'free' WHERE pk = ${scope.workspacePk}`);
  expect(await dateOf()).toBe(after(365));
  await updateWorkspace(scope, { retireApiDays: 100 });
  expect(await dateOf()).toBe(after(100));
  await editLink(scope, own.id, { retiresAt: day(50).toISOString() });
  await editLink(scope, kept.id, { retiresAt: null });
  expect(await readRetirement(scope, own.id)).toMatchObject({
    retiresAt: day(50).toISOString(),
    own: true,
  });
  await runTwice(day(51));
  expect(await keysOf(scope, { status: "retired" })).toEqual([own.key]);
  await runTwice(day(2_000));
  expect(await rowOf(own.id)).toBeUndefined();
  await runTwice(day(2_500));
  expect(await keysOf(scope, { showArchived: "true" })).toEqual([kept.key]);
});

test("an own date takes effect within a minute, also one that was just set", async () => {
  const scope = await newScope();
  const [own, banned] = await makeOfApi(scope, 2);
  if (!own || !banned) throw new Error("not made");
  const now = day(40);
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
  await runRounds(now);
  await editLink(scope, own.id, { retiresAt: after(30).toISOString() });
  await editLink(scope, banned.id, { retiresAt: after(30).toISOString() });
  await query(sql`
    UPDATE link SET banned_at = now() WHERE id = ${parseId("link", banned.id)}::uuid`);
  expect(await runRounds(after(20))).toMatchObject({ rounds: 0 });
  expect(await runRounds(after(60))).toMatchObject({ rounds: 1 });
  expect((await rowOf(own.id))?.retired_at).toEqual(after(60));
  expect((await rowOf(banned.id))?.retired_at).toBeNull();
  expect(await runRounds(after(120))).toMatchObject({ rounds: 0 });
  await query(sql`DELETE FROM link WHERE id = ${parseId("link", banned.id)}::uuid`);
});

test("a shorter period retires nothing before its warning of 30 days", async () => {
  const scope = await newScope();
  const [link] = await makeOfApi(scope, 1);
  if (!link) throw new Error("not made");
  await runTwice(day(400));
  await updateWorkspace(scope, { retireApiDays: 30 });
  await runTwice(day(401));
  expect(await keysOf(scope, { status: "retired" })).toEqual([]);
  await runTwice(day(402));
  await runTwice(day(431));
  expect((await rowOf(link.id))?.retired_at).toBeNull();
  expect((await listNotifications(scope)).map(({ kind }) => kind)).toEqual(["links.retiring"]);
  await runTwice(day(432));
  expect((await rowOf(link.id))?.retired_at).toEqual(day(432));
});

test("one warning per workspace and day to owners and admins, with a list that can be kept at once", async () => {
  const scope = await newScope();
  const member = await joinTestScope(scope, `lifetime-member${scopes}`, "member");
  const admin = await joinTestScope(scope, `lifetime-admin${scopes}`, "admin");
  await makeOfApi(scope, 7);
  expect((await runTwice(day(701))).warned).toBe(0);
  const counts = await runTwice(day(702));
  expect(counts.warned).toBe(7);
  for (const one of [scope, admin]) {
    expect(await listNotifications(one)).toMatchObject([
      { kind: "links.retiring", details: { links: 7 } },
    ]);
  }
  expect(await listNotifications(member)).toEqual([]);
  await expect(keepRetiring(member, day(702))).rejects.toMatchObject({ code: "forbidden" });
  expect(await keepRetiring(admin, day(702))).toEqual({ kept: 7, more: false });
  expect(await keepRetiring(admin, day(702))).toEqual({ kept: 0, more: false });
  await runTwice(day(5_000));
  expect(await keysOf(scope, {})).toHaveLength(7);
});

test("age counts from the creation where the workspace says so", async () => {
  const scope = await newScope();
  const [link] = await makeOfApi(scope, 1);
  if (!link) throw new Error("not made");
  await updateWorkspace(scope, { retireFromCreation: true });
  await visit(link.id, day(600));
  await runTwice(day(690));
  await runTwice(day(731));
  expect((await rowOf(link.id))?.retired_at).toEqual(day(731));
});

test("a link that was scanned or has a QR design never retires, except on a date of its own", async () => {
  const scope = await newScope();
  const [scanned, designed, designedLate, dated, plain] = await makeOfApi(scope, 5);
  if (!scanned || !designed || !designedLate || !dated || !plain) throw new Error("not made");
  await updateWorkspace(scope, { retireApiDays: 100, retireFromCreation: true });
  const qr = { ...plainDesign, dots: "rounded" as const };
  await editLink(scope, designed.id, { qr });
  await editLink(scope, dated.id, { qr, retiresAt: day(105).toISOString() });
  await runTwice(day(60));
  const dueOf = async (id: string) => (await rowOf(id))?.retires_at;
  expect(await dueOf(designed.id)).toBeNull();
  expect(await dueOf(scanned.id)).not.toBeNull();
  await visit(scanned.id, day(70));
  await query(sql`UPDATE link_stat SET scans = 1 WHERE workspace_pk = ${scope.workspacePk}`);
  await editLink(scope, designedLate.id, { qr });
  await runTwice(day(75));
  expect(await dueOf(scanned.id)).toBeNull();
  expect(await readRetirement(scope, scanned.id)).toMatchObject({ retiresAt: null, printed: true });
  expect(await readRetirementDefault(scope, scanned.id)).toMatchObject({ retiresAt: null });
  await runTwice(day(110));
  expect(new Set(await keysOf(scope, { status: "retired" }))).toEqual(
    new Set([dated.key, plain.key]),
  );
});

test("a retired link comes back by an edit of its date, and not by another edit", async () => {
  const scope = await newScope();
  const [link] = await makeOfApi(scope, 1, { externalId: "back" });
  if (!link) throw new Error("not made");
  await editLink(scope, link.id, { retiresAt: day(1).toISOString() });
  await runTwice(day(2));
  await editLink(scope, link.id, { title: "New" });
  expect((await rowOf(link.id))?.retired_at).toEqual(day(2));
  await editLink(scope, link.id, { retiresAt: null });
  expect((await rowOf(link.id))?.retired_at).toBeNull();
  await runTwice(day(3_000));
  expect(await keysOf(scope, {})).toEqual([link.key]);
});

test("retired links are skipped while an edit holds them, deleted after 180 days and their stats erased", async () => {
  const scope = await newScope();
  const links = await makeOfApi(scope, 10);
  const first = links[0];
  if (!first) throw new Error("not made");
  await visit(first.id, day(0));
  await runTwice(day(700));
  await runTwice(day(725));
  const [held] = await query<{ pk: number }>(
    sql`SELECT pk FROM link WHERE id = ${parseId("link", first.id)}::uuid`,
  );
  await transaction(async (tx) => {
    await query(sql`SELECT FROM link WHERE pk = ${held?.pk} FOR UPDATE`, tx);
    await runTwice(day(731));
  });
  expect(await keysOf(scope, { status: "retired" })).toHaveLength(9);
  await runTwice(day(732));
  expect(await keysOf(scope, { status: "retired" })).toHaveLength(10);
  await runTwice(day(731 + 179));
  expect(await keysOf(scope, { status: "retired" })).toHaveLength(10);
  await runTwice(day(732 + 180));
  expect(await keysOf(scope, { status: "retired" })).toEqual([]);
  await eraseDue();
  expect(
    await query(sql`SELECT 1 FROM link_stat WHERE workspace_pk = ${scope.workspacePk}`),
  ).toEqual([]);
  const audit = await query<{ action: string }>(sql`
    SELECT action FROM audit
    WHERE workspace_pk = ${scope.workspacePk} AND actor = 'system'`);
  expect(audit.filter(({ action }) => action === "link.retire")).toHaveLength(10);
});

async function sentEmails(): Promise<string[]> {
  const outbox = join(config().FUXI_DATA_DIR, "outbox");
  const files = await readdir(outbox).catch(() => []);
  const mails = await Promise.all(files.map((file) => readFile(join(outbox, file), "utf8")));
  return mails.map((mail) => mail.replaceAll("=\r\n", "").replaceAll("=3D", "="));
}

test("the warning is an email with the number of links and the address of their list, to proven addresses of managers", async () => {
  const scope = await newScope();
  const member = await joinTestScope(scope, `lifetime-mailed${scopes}`, "member");
  const job = retirementJobs.find(({ name }) => name === "retirement.warn");
  if (!job) throw new Error("no job");
  const warnOf = async ({ workspacePk, userPk }: WorkspaceScope) => {
    const given = Object(job.schema.parse({ workspacePk, userPk, links: 7 }));
    await job.handle(given);
  };
  await warnOf(scope);
  expect(await sentEmails()).toEqual([]);
  await query(sql`
    UPDATE app_user SET email_proven_at = now()
    WHERE pk = ANY(${[scope.userPk, member.userPk]}::bigint[])`);
  await warnOf(member);
  expect(await sentEmails()).toEqual([]);
  // A job that runs twice sends twice: a second email is better than none.
  await warnOf(scope);
  await warnOf(scope);
  const mails = await sentEmails();
  expect(mails).toHaveLength(2);
  for (const mail of mails) {
    expect(mail).toContain("7 links in the workspace");
    expect(mail).toContain(`http://localhost:3000/app/${scope.slug}/links?status=retiring`);
  }
});

test("the email names the first ten links to retire with their destination hosts, and counts the others", async () => {
  const scope = await newScope();
  await query(sql`UPDATE app_user SET email_proven_at = now() WHERE pk = ${scope.userPk}`);
  const job = retirementJobs.find(({ name }) => name === "retirement.warn");
  if (!job) throw new Error("no job");
  const period = { after: day(0).toISOString(), until: day(30).toISOString() };
  const { workspacePk, userPk } = scope;
  const made = await makeOfApi(scope, 11);
  const retire = async (count: number) => {
    await query(sql`UPDATE link SET retires_at = NULL WHERE workspace_pk = ${workspacePk}`);
    for (const [at, { id }] of made.slice(0, count).entries()) {
      await query(sql`
        UPDATE link SET retires_at = ${new Date(day(1).getTime() + at)}
        WHERE id = ${parseId("link", id)}::uuid`);
    }
    const before = await sentEmails();
    await job.handle(Object(job.schema.parse({ workspacePk, userPk, links: count, period })));
    return (await sentEmails()).filter((mail) => !before.includes(mail)).join("");
  };
  const ten = await retire(10);
  for (const { shortLink, url } of made.slice(0, 10)) {
    expect(ten).toContain(`${shortLink} =E2=86=92 ${new URL(url).hostname}`);
  }
  expect(ten).not.toContain("more");
  const eleven = await retire(11);
  expect(eleven).toContain("and 1 more");
  expect(eleven).not.toContain(made[10]?.shortLink ?? "none");
});

test("the default of a link is what its workspace does without a date of its own", async () => {
  const scope = await newScope();
  const now = day(0);
  const [link] = await makeOfApi(scope, 1);
  if (!link) throw new Error("not made");
  const defaultOf = (id: string | null) => readRetirementDefault(scope, id, now);
  expect(await defaultOf(null)).toEqual({ retiresAt: null, movesWithVisits: true });
  expect((await defaultOf(link.id))?.retiresAt).toBe(
    new Date(Date.parse(link.createdAt) + 730 * dayMs).toISOString(),
  );
  await updateWorkspace(scope, {
    retireApiDays: 10,
    retirePeopleDays: 90,
    retireFromCreation: true,
  });
  const { workspacePk, userPk } = scope;
  const reopened = await reopenScope({ workspacePk, userPk: userPk ?? 0, apiKeyPk: null });
  if (!reopened) throw new Error("not reopened");
  expect(await readRetirementDefault(reopened, null, now)).toEqual({
    retiresAt: day(90).toISOString(),
    movesWithVisits: false,
  });
  // With a date of its own, it would first be announced.
  await editLink(scope, link.id, { retiresAt: day(5).toISOString() });
  expect((await defaultOf(link.id))?.retiresAt).toBe(day(30).toISOString());
  expect(await readRetirementDefault(await newScope(), link.id, now)).toBeUndefined();
});

test("the answer with a link says at once when it retires, as its page does and its date will be", async () => {
  const scope = await newScope();
  const [api, visited, designed, person] = [
    ...(await makeOfApi(scope, 3)),
    ...(await make(scope, [{ url }])),
  ];
  if (!api || !visited || !designed || !person) throw new Error("not made");
  await visit(visited.id, day(600));
  await editLink(scope, designed.id, { qr: plainDesign });
  const dueOf = async (id: string) => {
    const [link] = await list(scope, { search: id, searchMode: "exact" });
    expect((await readRetirement(scope, id))?.retiresAt).toBe(link?.retirementDue);
    return link?.retirementDue;
  };
  const later = (from: Date | string, days: number) =>
    new Date(new Date(from).getTime() + days * dayMs).toISOString();
  expect(person.retirementDue).toBeNull();
  expect(await dueOf(api.id)).toBe(later(api.createdAt, 730));
  expect(await dueOf(visited.id)).toBe(later(day(600), 730));
  expect(await dueOf(designed.id)).toBeNull();
  expect(await dueOf(person.id)).toBeNull();
  const setPlan = (plan: string) =>
    query(sql`UPDATE workspace SET plan = ${plan} WHERE pk = ${scope.workspacePk}`);
  await setPlan("free");
  expect(await dueOf(visited.id)).toBe(later(day(600), 365));
  await setPlan(scope.plan);
  await visit(api.id, day(1));
  await query(sql`UPDATE link_stat SET scans = 1 WHERE workspace_pk = ${scope.workspacePk}`);
  expect(await dueOf(api.id)).toBeNull();
  await query(sql`UPDATE link_stat SET scans = 0 WHERE workspace_pk = ${scope.workspacePk}`);
  const before = await dueOf(api.id);
  await runTwice(day(700));
  expect((await rowOf(api.id))?.retires_at?.toISOString()).toBe(before);
});
