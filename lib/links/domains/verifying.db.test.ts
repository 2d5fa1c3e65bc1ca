import { beforeAll, beforeEach, expect, test } from "vitest";
import { findDomain } from "#lib/links/hosts";
import { openCoherence } from "#lib/platform/cache-sync";
import { AppError } from "#lib/platform/errors";
import { limits } from "#lib/platform/limits";
import { query, sql } from "#lib/platform/postgres";
import { prisma } from "#lib/platform/prisma";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listNotifications } from "#lib/tenancy/notifications";
import { TestDns } from "../../../test/dns.ts";
import { resetLimits } from "../../../test/limits.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { checkDomains } from "./checking.ts";
import { claimDaysMax, failingDaysMax } from "./checks.ts";
import { createDomain, deleteDomain, editDomain, getDomain } from "./index.ts";
import { createDomainBody, editDomainBody, type Verification } from "./schema.ts";
import { getVerification, verifyDomain } from "./verifying.ts";

const dns = await new TestDns().open();
const target = "links.fuxi.example";
const ours = "203.0.113.7";
const dayMs = 86_400_000;

openTestStores({
  FUXI_DNS_SERVERS: dns.address,
  FUXI_DOMAINS_TARGET: target,
  FUXI_DOMAINS_ADDRESSES: `${ours},2001:db8::7`,
});

let ada: WorkspaceScope;
let eve: WorkspaceScope;

beforeAll(async () => {
  openCoherence();
  ada = await makeTestScope("ada");
  eve = await makeTestScope("eve");
  return () => dns.close();
});
beforeEach(resetLimits);

let created = 0;

/** A new claim below `example`, each in a zone of its own. */
async function claim(actor = ada, slug = `go.zone${++created}.example`): Promise<string> {
  const domain = await createDomain(actor, createDomainBody.parse({ slug }));
  return domain.slug;
}

async function valueFor(slug: string, actor = ada): Promise<string> {
  const { records } = await getVerification(actor, slug);
  return String(records.find(({ type }) => type === "TXT")?.value);
}

async function prove(slug: string, actor = ada): Promise<void> {
  dns.set(`_fuxi.${slug}`, { txt: [await valueFor(slug, actor)] });
}

function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "ok",
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );
}

function kindsOf(actor: WorkspaceScope): Promise<string[]> {
  return listNotifications(actor).then((notifications) => notifications.map(({ kind }) => kind));
}

test("a domain serves once its TXT record and its CNAME exist, and names what is missing until then", async () => {
  const slug = await claim();
  const value = await valueFor(slug);
  expect(value).toMatch(/^fuxi-verify=[0-9a-f]{32}$/);
  const before = await getVerification(ada, slug);
  expect(before).toMatchObject({
    verified: false,
    state: "pending",
    problems: [],
    checkedAt: null,
  });
  expect(before.records).toEqual([
    { purpose: "ownership", type: "TXT", name: `_fuxi.${slug}`, value, found: [], ok: null },
    { purpose: "traffic", type: "CNAME", name: slug, value: target, found: [], ok: null },
  ]);
  const none = await verifyDomain(ada, slug);
  expect(none.problems).toEqual(["ownership_missing", "traffic_missing"]);
  expect(none.message).toBe(
    `No TXT record found at _fuxi.${slug}. Add one with the value ${value}. ${slug} doesn’t point anywhere yet. Add CNAME ${slug} → ${target}.`,
  );
  dns.set(slug, { cname: `${target}.` });
  const half = await verifyDomain(ada, slug);
  expect([half.verified, half.problems]).toEqual([false, ["ownership_missing"]]);
  expect(half.records.map(({ ok }) => ok)).toEqual([false, true]);
  dns.set(`_fuxi.${slug}`, { txt: ["v=spf1 -all", ["fuxi-ver", value.slice(8)]] });
  const whole = await verifyDomain(ada, slug);
  expect(whole).toMatchObject({ verified: true, state: "verified", problems: [] });
  expect(whole.message).toBe(`${slug} is active.`);
  expect(await findDomain(ada, slug)).toMatchObject({ slug });
  expect(await getVerification(ada, slug)).toEqual(whole);
});

test("a wrong value is shown beside the right one, and another workspace's value proves nothing", async () => {
  const slug = await claim();
  await claim(eve, slug);
  dns
    .set(slug, { a: [ours] })
    .set(`_fuxi.${slug}`, { txt: [await valueFor(slug, eve), "x\u0000y"] });
  const wrong = await verifyDomain(ada, slug);
  expect([wrong.verified, wrong.problems]).toEqual([false, ["ownership_wrong"]]);
  expect(wrong.message).toContain(`Change it to ${await valueFor(slug)}.`);
  expect(wrong.records[0]?.found).toContain(await valueFor(slug, eve));
  expect((await verifyDomain(eve, slug)).verified).toBe(true);
});

test("a proven domain serves behind a proxy, with a warning; one that leads to another server does not", async () => {
  const slug = await claim(ada, "apex-proxy.example");
  await prove(slug);
  expect(await verifyDomain(ada, slug)).toMatchObject({
    verified: false,
    problems: ["traffic_missing"],
  });
  dns.set(slug, { a: ["192.0.2.1"] });
  const behind = await verifyDomain(ada, slug);
  expect(behind).toMatchObject({ verified: true, problems: ["traffic_elsewhere"] });
  expect(behind.message).toContain("points to 192.0.2.1");
  expect(behind.records.map(({ type, ok }) => `${type} ${ok}`)).toEqual([
    "TXT true",
    "A false",
    "AAAA false",
  ]);
});

test.each(["SERVFAIL", "REFUSED", "garbage", "silence"] as const)(
  "%s changes nothing, neither of a claim nor of a domain that serves",
  async (fault) => {
    const [pending, serving] = [await claim(), await claim()];
    await prove(serving);
    dns.set(serving, { cname: target });
    const before = await verifyDomain(ada, serving);
    dns.set(`_fuxi.${serving}`, { fault }).set(serving, {});
    dns.set(`_fuxi.${pending}`, { fault }).set(pending, { cname: target });
    const answers = await Promise.all([verifyDomain(ada, pending), verifyDomain(ada, serving)]);
    expect(answers.map(({ verified }) => verified)).toEqual([false, true]);
    for (const { problems, message } of answers) {
      expect(problems).toContain("unsure");
      expect(message).toContain("The DNS lookup for");
    }
    expect(await getVerification(ada, serving)).toEqual(before);
    expect((await getVerification(ada, pending)).checkedAt).toBeNull();
  },
);

test("a failed lookup of traffic decides nothing, unless the answered records are enough", async () => {
  const slug = await claim();
  await prove(slug);
  dns.set(slug, { fault: "SERVFAIL" });
  expect((await verifyDomain(ada, slug)).problems).toEqual(["unsure"]);
  dns.set(slug, { a: [ours], faultOf: "AAAA" });
  expect(await verifyDomain(ada, slug)).toMatchObject({ verified: true, problems: [] });
});

test("hostile answers are read, shortened and stored", async () => {
  const slug = await claim();
  const texts = Array.from({ length: 180 }, (_, at) => `${at}\u0000\u202e${"x".repeat(200)}`);
  dns.set(`_fuxi.${slug}`, { txt: [...texts, await valueFor(slug)] });
  dns.set(slug, { cname: `a.${slug}` }).set(`a.${slug}`, { cname: slug });
  const circle = await verifyDomain(ada, slug);
  expect(circle).toMatchObject({ verified: false, problems: ["traffic_missing"] });
  expect(circle.records[0]).toMatchObject({ ok: true });
  expect(circle.records[0]?.found).toHaveLength(8);
  const addresses = Array.from({ length: 1_500 }, (_, at) => `10.0.${at >> 8}.${at & 255}`);
  dns.set(slug, { a: addresses });
  const many = await verifyDomain(ada, slug);
  expect(many).toMatchObject({ verified: true, problems: ["traffic_elsewhere"] });
  expect(many.message.length).toBeLessThan(2_000);
});

test("of two workspaces that verify at once exactly one serves, and the other is notified", async () => {
  const slug = await claim();
  await claim(eve, slug);
  const values = await Promise.all([valueFor(slug), valueFor(slug, eve)]);
  dns.set(slug, { cname: target }).set(`_fuxi.${slug}`, { txt: values });
  const calls = Array.from({ length: 10 }, (_, at) => verifyDomain(at % 2 ? ada : eve, slug));
  const codes = await Promise.all(calls.map(codeOf));
  expect(codes.filter((code) => code === "ok")).toHaveLength(5);
  expect(codes.filter((code) => code === "conflict")).toHaveLength(5);
  const winner = codes[0] === "ok" ? eve : ada;
  const loser = winner === ada ? eve : ada;
  expect(await getDomain(winner, slug)).toMatchObject({ verified: true });
  expect(await getVerification(loser, slug)).toMatchObject({
    verified: false,
    problems: expect.arrayContaining(["taken"]),
  });
  await deleteDomain(winner, slug, "keep");
  expect(await verifyDomain(loser, slug)).toMatchObject({ verified: true, problems: [] });
});

test("a host in another script is verified by its ASCII form, given in either", async () => {
  for (const [written, slug] of [
    ["bücher.example", "xn--bcher-kva.example"],
    ["例子.example", "xn--fsqu00a.example"],
  ] as const) {
    expect(await claim(ada, written)).toBe(slug);
    await prove(slug);
    dns.set(slug, { a: [ours], aaaa: ["2001:db8::7"] });
    expect(await verifyDomain(ada, written)).toMatchObject({ slug, verified: true, problems: [] });
  }
});

test("a new name has to be proven anew, and a record of the old one proves nothing for it", async () => {
  const slug = await claim();
  await prove(slug);
  dns.set(slug, { cname: target });
  expect((await verifyDomain(ada, slug)).verified).toBe(true);
  const renamed = `new.${slug}`;
  await editDomain(ada, slug, editDomainBody.parse({ slug: renamed }));
  dns.set(renamed, { cname: target });
  const fresh = await getVerification(ada, renamed);
  expect([fresh.state, fresh.checkedAt, fresh.records[0]?.ok]).toEqual(["pending", null, null]);
  expect((await verifyDomain(ada, renamed)).problems).toEqual(["ownership_missing"]);
  expect(await findDomain(ada, renamed)).toBeUndefined();
});

test("DNS is queried as often as the limit for a workspace in a minute; another's count is its own", async () => {
  const slug = await claim();
  dns.set(`_fuxi.${slug}`, {}).set(slug, {});
  const { max } = limits.domainCheckPerWorkspace;
  const calls = Array.from({ length: max + 1 }, () => codeOf(verifyDomain(ada, slug)));
  const codes = await Promise.all(calls);
  expect(codes.filter((code) => code === "ok")).toHaveLength(max);
  expect(codes.filter((code) => code === "rate_limit_exceeded")).toHaveLength(1);
  expect(await codeOf(verifyDomain(eve, await claim(eve)))).toBe("ok");
  expect(await codeOf(getVerification(ada, slug))).toBe("ok");
});

test("verification of another workspace's domain is answered exactly like a missing one; viewers read", async () => {
  const slug = await claim();
  for (const name of [slug, "missing.example", "\0", "x".repeat(999)]) {
    expect(await codeOf(verifyDomain(eve, name))).toBe("not_found");
    expect(await codeOf(getVerification(eve, name))).toBe("not_found");
  }
  const viewer = await joinTestScope(ada, "viewer", "viewer");
  expect(await codeOf(getVerification(viewer, slug))).toBe("ok");
  expect(await codeOf(verifyDomain(viewer, slug))).toBe("forbidden");
});

/** Makes every domain due, and runs the checks at that time. */
async function runChecks(at: Date): Promise<number> {
  // A moment is rounded to milliseconds, possibly up.
  await query(sql`
    UPDATE domain
    SET check_due_at = now() - interval '1 second'
    WHERE check_due_at IS NOT NULL`);
  return await checkDomains(() => at);
}

async function reset(): Promise<void> {
  await query(sql`DELETE FROM domain WHERE workspace_pk IS NOT NULL`);
  await query(sql`DELETE FROM notice`);
}

async function stateOf(slug: string, actor = ada): Promise<Verification["state"]> {
  return (await getVerification(actor, slug)).state;
}

test("a worker verifies ready domains, notifies owners and admins, and is the system in the audit", async () => {
  await reset();
  const [ready, waiting] = [await claim(), await claim()];
  await prove(ready);
  dns.set(ready, { cname: target });
  const now = new Date();
  expect(await Promise.all([checkDomains(), checkDomains()]).then(([a, b]) => a + b)).toBe(2);
  expect([await stateOf(ready), await stateOf(waiting)]).toEqual(["verified", "pending"]);
  expect(await findDomain(ada, ready)).toMatchObject({ slug: ready });
  expect(await kindsOf(ada)).toEqual(["domain.verified"]);
  const { id } = await getDomain(ada, ready);
  const entries = await prisma().auditEntry.findMany({
    where: { subject: id, action: "domain.verify" },
  });
  expect(entries.map(({ actor }) => actor)).toEqual(["system"]);
  // Run twice, it makes one change; domains that are not due are not checked.
  expect(await checkDomains()).toBe(0);
  expect(await runChecks(now)).toBe(2);
  expect(await kindsOf(ada)).toEqual(["domain.verified"]);
});

test(`records missing for ${failingDaysMax} days release a host for its current owner`, async () => {
  await reset();
  const slug = await claim();
  await claim(eve, slug);
  await prove(slug);
  dns.set(slug, { cname: target });
  await verifyDomain(ada, slug);
  const start = Date.now();
  const on = (day: number) => runChecks(new Date(start + day * dayMs));
  dns.set(`_fuxi.${slug}`, { txt: [await valueFor(slug, eve)] }).set(slug, { a: ["192.0.2.9"] });
  await on(1);
  expect([await stateOf(slug), await kindsOf(ada)]).toEqual(["failing", ["domain.failing"]]);
  expect(await codeOf(verifyDomain(eve, slug))).toBe("conflict");
  // Neither a DNS timeout nor a return of the records counts as gone.
  const theirs = dns.zones.get(`_fuxi.${slug}`) ?? {};
  dns.set(`_fuxi.${slug}`, { fault: "SERVFAIL" });
  await on(2);
  expect(await stateOf(slug)).toBe("failing");
  dns.set(`_fuxi.${slug}`, theirs).set(slug, { cname: target });
  await on(3);
  expect(await stateOf(slug)).toBe("verified");
  dns.set(slug, { a: ["192.0.2.9"] });
  for (let day = 4; day < 4 + failingDaysMax; day += 2) await on(day);
  expect(await stateOf(slug)).toBe("failing");
  expect(await findDomain(ada, slug)).toMatchObject({ slug });
  await on(4 + failingDaysMax);
  expect(await stateOf(slug)).toBe("pending");
  expect((await kindsOf(ada))[0]).toBe("domain.unverified");
  const { id } = await getDomain(ada, slug);
  const entries = await prisma().auditEntry.findMany({ where: { subject: id } });
  expect(entries.map(({ action }) => action)).toContain("domain.unverify");
  expect(await verifyDomain(eve, slug)).toMatchObject({ verified: true });
  expect(await findDomain(ada, slug)).toBeUndefined();
  expect(await findDomain(eve, slug)).toMatchObject({ slug });
});

test(`an unverified claim rests after ${claimDaysMax} days, is shown as such, and is checked again on request`, async () => {
  await reset();
  const slug = await claim(eve);
  await claim(ada, slug);
  await prove(slug, eve);
  dns.set(slug, { cname: target });
  await verifyDomain(eve, slug);
  dns.set(`_fuxi.${slug}`, { txt: [await valueFor(slug), await valueFor(slug, eve)] });
  const checksOn = async (day: number) => {
    dns.asked.length = 0;
    await runChecks(new Date(Date.now() + day * dayMs));
    return dns.asked.filter((name) => name === `_fuxi.${slug}`).length;
  };
  expect([await checksOn(0.5), await checksOn(claimDaysMax - 0.1)]).toEqual([2, 2]);
  expect((await getVerification(ada, slug)).problems).toEqual(["taken"]);
  // The last check of the claim; from now on only the active domain is checked.
  expect([await checksOn(claimDaysMax + 0.1), await checksOn(claimDaysMax + 40)]).toEqual([2, 1]);
  expect(await getVerification(ada, slug)).toMatchObject({
    problems: ["resting", "taken"],
    message: expect.stringMatching(/for 30 days, so automatic checks have stopped. Verify it/),
  });
  await query(sql`UPDATE domain SET claimed_at = now() - interval '70 days' WHERE slug = ${slug}`);
  expect(await codeOf(verifyDomain(ada, slug))).toBe("conflict");
  expect((await getVerification(ada, slug)).problems).toEqual(["taken"]);
  await deleteDomain(eve, slug, "keep");
  expect([await checksOn(0.1), await stateOf(slug)]).toEqual([1, "verified"]);
});

test("a lost domain is checked as a new claim, however old it is", async () => {
  await reset();
  const slug = await claim();
  await prove(slug);
  dns.set(slug, { cname: target });
  await verifyDomain(ada, slug);
  await query(sql`UPDATE domain SET claimed_at = now() - interval '400 days'`);
  const texts = dns.zones.get(`_fuxi.${slug}`) ?? {};
  dns.set(`_fuxi.${slug}`, {}).set(slug, {});
  for (let day = 1; day <= 1 + failingDaysMax; day += 2) {
    await runChecks(new Date(Date.now() + day * dayMs));
  }
  expect(await stateOf(slug)).toBe("pending");
  dns.set(`_fuxi.${slug}`, texts).set(slug, { cname: target });
  await runChecks(new Date(Date.now() + (2 + failingDaysMax) * dayMs));
  expect(await stateOf(slug)).toBe("verified");
});

test("a trusted domain is never checked, and the button cannot lose it either", async () => {
  await reset();
  const slug = await claim();
  await query(sql`UPDATE domain SET verified_at = now(), check_due_at = NULL WHERE slug = ${slug}`);
  expect(await runChecks(new Date())).toBe(0);
  expect(await verifyDomain(ada, slug)).toMatchObject({
    verified: true,
    state: "verified",
    problems: ["ownership_missing", "traffic_missing"],
  });
  expect(await runChecks(new Date())).toBe(0);
});

test("three hundred claims are checked in one run, twenty at once", async () => {
  await reset();
  await query(sql`
    INSERT INTO domain (id, workspace_pk, slug, check_due_at)
    SELECT 'dom_many' || n, ${ada.workspacePk}, 'many' || n || '.example', now() - interval '1 second'
    FROM generate_series(1, 300) AS n`);
  dns.asked.length = 0;
  expect(await checkDomains()).toBe(300);
  expect(new Set(dns.asked.filter((name) => name.startsWith("_fuxi.many"))).size).toBe(300);
  const [left] = await query<{ count: number }>(
    sql`SELECT count(*) AS count FROM domain WHERE check_due_at <= now()`,
  );
  expect(left?.count).toBe(0);
});
