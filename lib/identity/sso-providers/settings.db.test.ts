import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  findBlockingProvider,
  findSignInProvider,
  openByException,
} from "#lib/identity/single-sign-on";
import { query, sql } from "#lib/platform/postgres";
import { redis } from "#lib/platform/redis";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { createWorkspace, openWorkspace } from "#lib/tenancy/workspaces";
import { TestDns } from "../../../test/dns.ts";
import { TestOpenId, testClient } from "../../../test/openid.ts";
import { newPerson, signedIn } from "../../../test/people.ts";
import { joinTestScope } from "../../../test/scope.ts";
import { plainAccess, scopeIn, ssoWorkspace } from "../../../test/single-sign-on.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  addSsoDomain,
  anyProvenDomain,
  findSso,
  removeProvider,
  saveAccess,
  saveProvider,
  verifySsoDomain,
} from "./index.ts";
import { accessBody, domainsMax, emailDomain, providerBody, roleOfGroups } from "./schema.ts";

const dns = await new TestDns().open();
openTestStores({ FUXI_FETCH: "loopback", FUXI_DNS_SERVERS: dns.address });
let openId: TestOpenId;
let spaces = 0;

beforeAll(async () => {
  openId = await TestOpenId.open();
  await newPerson();
});
beforeEach(async () => void (await redis().flushdb()));
afterAll(async () => {
  await openId.stop();
  await dns.close();
});

async function newSpace(): Promise<{ scope: WorkspaceScope; slug: string; userId: string }> {
  const { id } = await newPerson();
  spaces += 1;
  const slug = `sso-space-${spaces}`;
  await createWorkspace(id, { name: slug, slug });
  return { scope: await scopeIn(id, slug), slug, userId: id };
}

const bodyOf = (more: object = {}) =>
  providerBody.parse({ name: "Test", issuer: openId.issuer, ...testClient, ...more });

test("a wrong configuration is found when it is saved, with what the provider says", async () => {
  const { scope } = await newSpace();
  const refusal = (body: object) =>
    saveProvider(scope, bodyOf(body)).catch((error) => error.problem);
  expect(await refusal({ issuer: "http://127.0.0.1:1" })).toMatchObject({
    code: "sso_unreachable",
  });
  expect(await refusal({ issuer: openId.issuer.replace("127.0.0.1", "localhost") })).toMatchObject({
    code: "sso_invalid",
    params: { reason: expect.stringContaining(openId.issuer) },
  });
  expect(await refusal({ issuer: `${openId.issuer}/wrong` })).toMatchObject({
    code: "sso_unreachable",
    params: { reason: "HTTP 404" },
  });
  expect(await findSso(scope)).toBeUndefined();
});

test("the secret is never shown, and has to be entered again for another issuer or client", async () => {
  const { scope } = await newSpace();
  await saveProvider(scope, bodyOf());
  expect(JSON.stringify(await findSso(scope))).not.toContain(testClient.secret);
  const { secret: _, ...kept } = bodyOf({ name: "Renamed" });
  await saveProvider(scope, kept);
  expect(await findSso(scope)).toMatchObject({ name: "Renamed" });
  await expect(saveProvider(scope, { ...kept, clientId: "mine" })).rejects.toMatchObject({
    problem: { code: "sso_secret" },
  });
});

test("another issuer ends sessions and connections of the earlier one", async () => {
  const second = await TestOpenId.open();
  const { scope, pk, provider, owner } = await ssoWorkspace(openId, "moved", "moved.example");
  await query(sql`
    INSERT INTO identity (provider, subject, user_pk) VALUES (${provider}, 's', ${owner.pk})`);
  const { sessionId } = await signedIn(owner.id);
  await query(sql`
    UPDATE session SET sso_provider_pk = ${pk}, oidc_subject = 's' WHERE id = ${sessionId}`);
  await saveProvider(scope, bodyOf({ issuer: second.issuer }));
  await second.stop();
  expect(await query(sql`SELECT FROM identity WHERE provider = ${provider}`)).toEqual([]);
  const ended = sql`SELECT FROM session WHERE id = ${sessionId} AND ended_at IS NOT NULL`;
  expect(await query(ended)).toHaveLength(1);
});

test("only owners and admins see or change it, with a fresh proof", async () => {
  const { scope, userId, slug } = await newSpace();
  const member = await joinTestScope(scope, "sso-member", "member");
  for (const call of [
    () => findSso(member),
    () => saveProvider(member, bodyOf()),
    () => removeProvider(member),
  ]) {
    await expect(call()).rejects.toMatchObject({ code: "forbidden" });
  }
  const { sessionId } = await signedIn(userId, []);
  const stale = await openWorkspace(userId, slug, sessionId);
  if (!stale) throw new Error("No scope");
  await expect(saveProvider(stale, bodyOf())).rejects.toMatchObject({
    problem: { code: "proof_needed" },
  });
});

test("a domain counts once its TXT record is there, and for one workspace", async () => {
  const [first, second] = [await newSpace(), await newSpace()];
  for (const { scope } of [first, second]) {
    await saveProvider(scope, bodyOf());
    await addSsoDomain(scope, "one.example");
  }
  const verify = ({ scope }: typeof first) => verifySsoDomain(scope, "one.example");
  const recordOf = async ({ scope }: typeof first) =>
    String((await findSso(scope))?.domains[0]?.record.value);
  await expect(verify(first)).rejects.toMatchObject({ problem: { code: "sso_dns_missing" } });
  expect(await findSignInProvider("a@one.example", "203.0.113.1")).toMatchObject({ ok: false });
  const mine = await recordOf(first);
  const theirs = await recordOf(second);
  expect(mine).toMatch(/^fuxi-sso=/);
  // The record of a host of links proves nothing about addresses.
  dns.set("_fuxi.one.example", { txt: [mine.replace("fuxi-sso", "fuxi-verify")] });
  await expect(verify(first)).rejects.toMatchObject({ problem: { code: "sso_dns_missing" } });
  dns.set("_fuxi.one.example", { txt: [mine, theirs] });
  await verify(first);
  await expect(verify(second)).rejects.toMatchObject({ problem: { code: "sso_domain_taken" } });
  dns.set("_fuxi.one.example", { txt: [theirs] });
  await verify(second);
  expect((await findSso(first.scope))?.domains).toMatchObject([{ proven: false }]);
  expect((await findSso(second.scope))?.domains).toMatchObject([{ proven: true }]);
  expect(await anyProvenDomain()).toBe(true);
});

test("a workspace has up to 20 email domains", async () => {
  const { scope } = await newSpace();
  await saveProvider(scope, bodyOf());
  for (let at = 0; at < domainsMax; at++) await addSsoDomain(scope, `d${at}.example`);
  await expect(addSsoDomain(scope, "more.example")).rejects.toMatchObject({
    problem: { code: "sso_domains_full" },
  });
});

test("the provider is found by a proven domain or a workspace that has one, and nothing else is revealed", async () => {
  const { provider, scope } = await ssoWorkspace(openId, "findable", "find.example");
  const find = (text: string) => findSignInProvider(text, "203.0.113.2");
  for (const text of ["Ada@Find.example", "find.example", "@find.example", "findable"]) {
    expect(await find(text)).toMatchObject({ ok: true, found: { provider } });
  }
  await query(sql`DELETE FROM sso_domain WHERE host = 'find.example'`);
  const unknown = { ok: false, code: "sso_unknown" };
  for (const text of ["findable", "no-such-workspace", "a@find.example", "", "%"]) {
    expect(await find(text)).toEqual(unknown);
  }
  await expect(
    saveAccess(scope, accessBody.parse({ ...plainAccess, required: true })),
  ).rejects.toMatchObject({ problem: { code: "sso_domain_first" } });
});

test("a workspace that requires it stays closed to other sessions; owners open it with a recorded exception", async () => {
  const { scope, owner, pk } = await ssoWorkspace(openId, "strict", "strict.example");
  const admin = await joinTestScope(scope, "strict-admin", "admin");
  await saveAccess(scope, accessBody.parse({ ...plainAccess, required: true }));
  const [ofOwner, ofAdmin] = [await signedIn(owner.id), await signedIn(String(admin.userId))];
  const refused = { code: "forbidden", problem: { code: "sso_required" } };
  for (const { id, sessionId } of [ofOwner, ofAdmin]) {
    await expect(openWorkspace(id, "strict", sessionId)).rejects.toMatchObject(refused);
  }
  expect(await findBlockingProvider(ofAdmin, "strict")).toMatchObject({ mayExcept: false });
  await expect(openByException(ofAdmin, "strict")).rejects.toMatchObject({ code: "not_found" });
  await openByException(ofOwner, "strict");
  expect(await openWorkspace(owner.id, "strict", ofOwner.sessionId)).toBeDefined();
  // The exception is one of this session.
  const next = await signedIn(owner.id);
  await expect(openWorkspace(owner.id, "strict", next.sessionId)).rejects.toMatchObject(refused);
  const audit = sql`
    SELECT FROM audit WHERE action = 'sso.bypass' AND workspace_pk = ${scope.workspacePk}`;
  expect(await query(audit)).toHaveLength(1);
  await query(sql`
    UPDATE session SET sso_provider_pk = ${pk} WHERE id = ${ofAdmin.sessionId}`);
  expect(await openWorkspace(ofAdmin.id, "strict", ofAdmin.sessionId)).toBeDefined();
});

test("removing the provider ends its sessions, and opens the workspace to others again", async () => {
  const { scope, owner, pk } = await ssoWorkspace(openId, "left", "left.example");
  await saveAccess(scope, accessBody.parse({ ...plainAccess, required: true }));
  const { sessionId } = await signedIn(owner.id);
  await query(sql`
    UPDATE session SET sso_provider_pk = ${pk}, oidc_subject = 's' WHERE id = ${sessionId}`);
  await removeProvider(scope);
  expect(await openWorkspace(owner.id, "left", sessionId)).toBeUndefined();
  expect(await openWorkspace(owner.id, "left", (await signedIn(owner.id)).sessionId)).toBeDefined();
});

test("the highest role of the groups counts, and silence changes nothing", () => {
  const table = [
    { group: "a", role: "viewer" },
    { group: "b", role: "admin" },
  ] as const;
  expect(roleOfGroups(table, ["a", "b"], "member")).toBe("admin");
  expect(roleOfGroups(table, ["other"], "member")).toBe("member");
  expect(roleOfGroups(table, undefined, "member")).toBeUndefined();
  expect(roleOfGroups([], ["b"], "member")).toBeUndefined();
});

test("email domains are names of at least two parts", () => {
  expect(emailDomain.parse(" @Example.COM ")).toBe("example.com");
  for (const wrong of ["com", "a@b.example", "exa mple.com", "192.0.2.1", ""]) {
    expect(emailDomain.safeParse(wrong).success).toBe(false);
  }
});
