import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  admitApiKey,
  createApiKey,
  listApiKeys,
  resumeApiKey,
  rotateApiKey,
} from "#lib/identity/api-keys";
import { endSession, findSession } from "#lib/identity/sessions";
import { saveAccess } from "#lib/identity/sso-providers";
import { accessBody } from "#lib/identity/sso-providers/schema";
import { openCoherence } from "#lib/platform/cache-sync";
import { query, sql, transaction } from "#lib/platform/postgres";
import { lockWorkspace } from "#lib/tenancy/access";
import { listNotifications } from "#lib/tenancy/notifications";
import { createWorkspace, openWorkspace } from "#lib/tenancy/workspaces";
import { untilWaiting } from "../../../test/locks.ts";
import { TestOpenId } from "../../../test/openid.ts";
import { OpenIdBrowser } from "../../../test/openid-browser.ts";
import { newPerson } from "../../../test/people.ts";
import { joinTestScope } from "../../../test/scope.ts";
import { plainAccess, scopeIn, ssoWorkspace } from "../../../test/single-sign-on.ts";
import { openTestStores } from "../../../test/stores.ts";
import { endByProvider } from "./index.ts";
import { checkSessions } from "./leaving.ts";

openTestStores({ FUXI_FETCH: "loopback" });
const offline = { scope: "openid email offline_access" };
const access = { ...plainAccess, groupRoles: [{ group: "staff", role: "admin" }] };
let openId: TestOpenId;
let acme: Awaited<ReturnType<typeof ssoWorkspace>>;
let people = 0;

beforeAll(async () => {
  openCoherence();
  openId = await TestOpenId.open();
  openId.refreshes = true;
  await newPerson();
  acme = await ssoWorkspace(openId, "acme", "acme.example", offline);
});
afterAll(() => openId.stop());
beforeEach(async () => {
  openId.revoked = false;
  await saveAccess(acme.scope, accessBody.parse(access));
});

/** An admin by their group, with an API key. */
async function enter({ provider, scope: { slug } } = acme) {
  people += 1;
  const email = `e${people}@${slug}.example`;
  openId.person = { subject: `s${people}`, email, verified: true, groups: ["staff"] };
  const browser = new OpenIdBrowser();
  await browser.signIn(provider, openId);
  const user = await browser.user();
  const scope = user && (await openWorkspace(user.id, slug, user.sessionId));
  if (!user || !scope) throw new Error("Nobody signed in");
  return { user, scope, ...(await createApiKey(scope, { name: `Shop ${people}` })) };
}

async function makeDue(sessionId: string): Promise<number> {
  const due = await query(sql`
    UPDATE session SET oidc_check_at = now() WHERE id = ${sessionId} AND oidc_check_at IS NOT NULL
    RETURNING id`);
  return due.length;
}

/** On a busy machine, the provider may answer too late, so it is asked again. */
async function askUntilSettled(sessionId: string): Promise<void> {
  for (let time = 0; time < 5 && (await makeDue(sessionId)) > 0; time++) await checkSessions();
}

/** As if the person had been removed since the last check. */
async function remove(sessionId: string): Promise<void> {
  openId.revoked = true;
  await askUntilSettled(sessionId);
  openId.revoked = false;
}

async function codeOf(key: string): Promise<string> {
  const admission = await admitApiKey(key, "198.51.100.1");
  return admission.ok ? "ok" : admission.code;
}

async function auditOf(id: string): Promise<{ action: string; actor: string }[]> {
  return await query(sql`
    SELECT action, actor FROM audit WHERE subject = ${id} AND action <> 'key.create' ORDER BY id`);
}

test("keys of a removed person are refused at once with both secrets, and only theirs of this workspace", async () => {
  const { user, scope, key, apiKey } = await enter();
  const rotated = await rotateApiKey(scope, apiKey.id, { overlapSeconds: 3_600 });
  const mine = [key, String(rotated?.key)];
  await createWorkspace(user.id, { name: "Own", slug: "own" });
  const own = await createApiKey(await scopeIn(user.id, "own"), { name: "Own" });
  const colleague = await createApiKey(acme.scope, { name: "Owner’s" });
  const others = [own.key, colleague.key];
  for (const one of [...mine, ...others]) expect(await codeOf(one)).toBe("ok");
  await remove(user.sessionId);
  for (const one of mine) expect(await codeOf(one)).toBe("paused");
  for (const one of others) expect(await codeOf(one)).toBe("ok");
});

test("a paused key is listed, recorded and announced, and stays paused when its creator is back until an admin resumes it", async () => {
  const { user, scope, key, apiKey } = await enter();
  const { person } = openId;
  await remove(user.sessionId);
  const listed = async () =>
    (await listApiKeys(acme.scope)).find(({ id }) => id === apiKey.id)?.pausedAt;
  expect(await listed()).toMatch(/^\d{4}-/);
  const [latest] = await listNotifications(acme.scope);
  expect(latest).toMatchObject({ kind: "key.paused", details: { keys: 1 } });
  openId.person = person;
  await new OpenIdBrowser().signIn(acme.provider, openId);
  await rotateApiKey(acme.scope, apiKey.id, { overlapSeconds: 3_600 });
  expect(await codeOf(key)).toBe("paused");
  const member = await joinTestScope(acme.scope, `member-${people}`, "member");
  await expect(resumeApiKey(member, apiKey.id)).rejects.toMatchObject({ code: "forbidden" });
  expect(await resumeApiKey({ ...acme.scope, workspacePk: 0 }, apiKey.id)).toBe(false);
  expect(await resumeApiKey(acme.scope, apiKey.id)).toBe(true);
  expect(await codeOf(key)).toBe("ok");
  expect(await listed()).toBeNull();
  await resumeApiKey(acme.scope, apiKey.id);
  expect(await auditOf(apiKey.id)).toEqual([
    { action: "key.pause", actor: "system" },
    { action: "key.rotate", actor: acme.owner.id },
    { action: "key.resume", actor: acme.owner.id },
  ]);
  expect(scope.userPk).toBe(user.pk);
});

test("keys go on where the workspace keeps them", async () => {
  const { user, key } = await enter();
  await saveAccess(acme.scope, accessBody.parse({ ...access, pausesKeys: false }));
  await remove(user.sessionId);
  expect(await codeOf(key)).toBe("ok");
});

test("a refused token without offline access pauses nothing, because a logout at the provider ends it too", async () => {
  const plain = await ssoWorkspace(openId, "plain", "plain.example");
  await saveAccess(plain.scope, accessBody.parse(access));
  const { user, key } = await enter(plain);
  await remove(user.sessionId);
  expect(await findSession(user.sessionId)).toBeUndefined();
  expect(await codeOf(key)).toBe("ok");
});

test("a logout by the provider pauses nothing, unless the tokens are refused a minute later", async () => {
  for (const [revoked, code] of [
    [false, "ok"],
    [true, "paused"],
  ] as const) {
    const { user, key } = await enter();
    const token = await openId.logoutToken({ sub: openId.person.subject });
    expect(await endByProvider(acme.provider, token)).toBe(true);
    openId.revoked = revoked;
    await checkSessions();
    expect(await codeOf(key)).toBe("ok");
    await askUntilSettled(user.sessionId);
    expect(await codeOf(key)).toBe(code);
    const asked = openId.exchanges;
    await makeDue(user.sessionId);
    await checkSessions();
    expect(openId.exchanges).toBe(asked);
  }
});

test("after a sign-out here, the provider is asked no more", async () => {
  const { user, key } = await enter();
  await endSession(user.sessionId);
  const asked = openId.exchanges;
  await remove(user.sessionId);
  expect(openId.exchanges).toBe(asked);
  expect(await codeOf(key)).toBe("ok");
});

test("a key that is created while its creator is found removed is paused too", async () => {
  const { user, scope } = await enter();
  let creating: ReturnType<typeof createApiKey> | undefined;
  let removing: Promise<void> | undefined;
  await transaction(async (tx) => {
    await lockWorkspace(tx, scope.workspacePk);
    creating = createApiKey(scope, { name: "Late" });
    await untilWaiting();
    removing = remove(user.sessionId);
    await untilWaiting(2);
  });
  await removing;
  expect(await codeOf(String((await creating)?.key))).toBe("paused");
});
