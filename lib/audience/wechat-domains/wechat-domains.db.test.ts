/** Domains of official accounts, and the files by which WeChat verifies them. */
import { beforeAll, expect, test } from "vitest";
import { createWechatAccount, deleteWechatAccount } from "#lib/audience/wechat-accounts";
import { createDomain, deleteDomain, editDomain } from "#lib/links/domains";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listAudit } from "#lib/tenancy/audit";
import { openTestVisits } from "../../../test/redirect-server.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { deleteWechatDomain, listWechatDomains, putWechatDomain } from "./index.ts";
import { putWechatDomainBody } from "./schema.ts";

openTestStores();
const { ask, make, scope } = openTestVisits("wechat-domains");

const secret = "0123456789abcdefABCDEF0123456789";
const file = { name: "MP_verify_a1B2c3D4e5F6g7H8.txt", content: "a1B2c3D4e5F6g7H8" };
const path = `/${file.name}`;
let count = 0;
let account = "";
let bob: WorkspaceScope;
let bobs = "";

async function add(owner: WorkspaceScope, kind: "miniProgram" | "officialAccount") {
  count += 1;
  const appId = `wx${String(count).padStart(16, "0")}`;
  return (await createWechatAccount(owner, { kind, name: "Tea", appId, secret })).id;
}
async function newDomain(): Promise<string> {
  count += 1;
  return (await createDomain(scope(), { slug: `wx${count}.localhost` })).slug;
}
const get = async (host: string, method = "GET", wanted = path) => {
  const { status, body, headers } = await ask(wanted, { method, headers: { host } });
  return { status, body, type: headers["content-type"], location: headers.location };
};

beforeAll(async () => {
  account = await add(scope(), "officialAccount");
  bob = await makeTestScope("bob");
  bobs = await add(bob, "officialAccount");
});

test("the file is served at the root of its host at once, changed at once, and of no other host", async () => {
  const [host, other] = [await newDomain(), await newDomain()];
  const missing = await get(host);
  expect(missing.status).toBe(404);
  await putWechatDomain(scope(), host, { accountId: account, file, callback: false });
  const served = { status: 200, body: file.content, type: "text/plain; charset=utf-8" };
  expect(await get(host)).toMatchObject(served);
  expect(await get(host, "GET", `${path}?x=1`)).toMatchObject(served);
  expect(await get(host, "HEAD")).toMatchObject({ status: 200, body: "" });
  expect((await get(host, "POST")).status).toBe(405);
  for (const wrong of [path.toLowerCase(), `${path}/`, `/a${path}`, path.replace("a1", "b1")]) {
    expect(await get(host, "GET", wrong)).toMatchObject({ status: 404 });
  }
  for (const elsewhere of [other, "localhost", "nobody.localhost"]) {
    expect((await get(elsewhere)).status).toBe(404);
  }
  const next = { name: "MP_verify_0000000000000000.txt", content: "Z".repeat(16) };
  await putWechatDomain(scope(), host, { accountId: account, file: next, callback: false });
  expect((await get(host)).status).toBe(404);
  expect((await get(host, "GET", `/${next.name}`)).body).toBe(next.content);
  await deleteWechatDomain(scope(), host);
  expect((await get(host, "GET", `/${next.name}`)).status).toBe(404);
});

test("where a domain sends missing links, it sends those of other files as before", async () => {
  const host = await newDomain();
  await editDomain(scope(), host, { notFoundUrl: "https://example.com/lost" });
  await putWechatDomain(scope(), host, { accountId: account, file, callback: false });
  expect((await get(host)).body).toBe(file.content);
  const other = await get(host, "GET", "/MP_verify_0000000000000000.txt");
  expect(other.location).toBe("https://example.com/lost");
});

test("no link gets the path of such a file, and a domain whose older link has it gets no file", async () => {
  const host = await newDomain();
  for (const key of [file.name, file.name.toLowerCase(), `${file.name}/more`]) {
    await expect(make({ domain: host, key })).rejects.toThrow("is reserved");
  }
  await make({ domain: host, key: "MP_verify_short.txt" });
  await make({ domain: host, key: "older" });
  const [domain] = await query<{ pk: number }>(sql`SELECT pk FROM domain WHERE slug = ${host}`);
  const { pk = 0 } = domain ?? {};
  await query(sql`UPDATE alias SET key = ${file.name} WHERE key = 'older' AND domain_pk = ${pk}`);
  await query(sql`UPDATE link SET key = ${file.name} WHERE key = 'older' AND domain_pk = ${pk}`);
  const put = putWechatDomain(scope(), host, { accountId: account, file, callback: false });
  await expect(put).rejects.toMatchObject({ code: "conflict" });
  expect((await get(host)).status).toBe(302);
  // Without a file, the domain may belong to the account.
  await putWechatDomain(scope(), host, { accountId: account, file: null, callback: false });
  expect((await get(host)).status).toBe(302);
});

test("a domain that is renamed has no file under its new name, and none under the old one", async () => {
  const host = await newDomain();
  await putWechatDomain(scope(), host, { accountId: account, file, callback: false });
  const renamed = `renamed-${host}`;
  await editDomain(scope(), host, { slug: renamed });
  expect([(await get(host)).status, (await get(renamed)).status]).toEqual([404, 404]);
  expect((await listWechatDomains(scope())).map(({ slug }) => slug)).not.toContain(renamed);
});

test("a domain in another workspace takes neither the file nor the account along", async () => {
  const host = await newDomain();
  await putWechatDomain(scope(), host, { accountId: account, file, callback: false });
  await query(sql`
    UPDATE domain SET workspace_pk = ${bob.workspacePk}, revision = nextval('revision') WHERE slug = ${host}`);
  expect(await listWechatDomains(bob)).toEqual([]);
  expect((await listWechatDomains(scope())).map(({ slug }) => slug)).not.toContain(host);
  await putWechatDomain(bob, host, { accountId: bobs, file: null, callback: false });
  expect(await listWechatDomains(bob)).toMatchObject([{ slug: host, accountId: bobs, file: null }]);
  await deleteDomain(bob, host, "delete");
  expect(await listWechatDomains(bob)).toEqual([]);
});

test("domains and accounts of another workspace answer exactly like missing ones", async () => {
  const host = await newDomain();
  await putWechatDomain(scope(), host, { accountId: account, file, callback: false });
  for (const slug of [host, "missing.localhost", "a b", ""]) {
    const message = `Domain "${slug}" not found in this workspace.`;
    await expect(
      putWechatDomain(bob, slug, { accountId: bobs, file, callback: false }),
    ).rejects.toThrow(message);
    await expect(deleteWechatDomain(bob, slug)).rejects.toThrow(message);
  }
  for (const accountId of [bobs, "wxa_1", "' OR 1"]) {
    const message = `WeChat account "${accountId}" not found in this workspace.`;
    await expect(
      putWechatDomain(scope(), host, { accountId, file, callback: false }),
    ).rejects.toThrow(message);
  }
  expect((await get(host)).body).toBe(file.content);
});

test("a mini program and an unverified domain are refused", async () => {
  const host = await newDomain();
  const program = await add(scope(), "miniProgram");
  await expect(
    putWechatDomain(scope(), host, { accountId: program, file, callback: false }),
  ).rejects.toMatchObject({
    problem: { code: "wechat_not_official" },
  });
  await query(sql`UPDATE domain SET verified_at = NULL WHERE slug = ${host}`);
  await expect(
    putWechatDomain(scope(), host, { accountId: account, file, callback: false }),
  ).rejects.toMatchObject({
    problem: { code: "domain_unverified" },
  });
});

test("admins add domains, and the others only see them; both changes are in the audit log", async () => {
  const host = await newDomain();
  const viewer = await joinTestScope(scope(), "viewer", "viewer");
  const member = await joinTestScope(scope(), "member", "member");
  const admin = await joinTestScope(scope(), "admin", "admin");
  await putWechatDomain(admin, host, { accountId: account, file, callback: false });
  expect((await listWechatDomains(viewer)).some(({ slug }) => slug === host)).toBe(true);
  for (const refused of [
    putWechatDomain(viewer, host, { accountId: account, file: null, callback: false }),
    putWechatDomain(member, host, { accountId: account, file: null, callback: false }),
    deleteWechatDomain(member, host),
  ]) {
    await expect(refused).rejects.toMatchObject({ code: "forbidden" });
  }
  await deleteWechatDomain(admin, host);
  await expect(deleteWechatDomain(admin, host)).rejects.toMatchObject({ code: "not_found" });
  const audit = await listAudit(scope(), { pageSize: 2 });
  expect(audit.map(({ action }) => action)).toEqual(["wechat-domain.delete", "wechat-domain.edit"]);
});

test("with its account, the file of a domain is deleted", async () => {
  const host = await newDomain();
  const own = await add(scope(), "officialAccount");
  await putWechatDomain(scope(), host, { accountId: own, file, callback: false });
  await deleteWechatAccount(scope(), own);
  expect((await get(host)).status).toBe(404);
});

test.each([
  { name: "MP_verify_a1B2c3D4e5F6g7H.txt" },
  { name: "MP_verify_a1B2c3D4e5F6g7H88.txt" },
  { name: "mp_verify_a1B2c3D4e5F6g7H8.txt" },
  { name: "MP_verify_a1B2c3D4e5F6g7H8.html" },
  { name: "MP_verify_../../../../x/yz.txt" },
  { name: "robots.txt" },
  { content: "a1B2c3D4e5F6g7H" },
  { content: "a1B2c3D4e5F6g7H88" },
  { content: "<script>alert(1)" },
])("%j is refused", (change) => {
  const valid = { accountId: "wxa_1", file };
  expect(putWechatDomainBody.safeParse(valid).success).toBe(true);
  const changed = { ...valid, file: { ...file, ...change } };
  expect(putWechatDomainBody.safeParse(changed).success).toBe(false);
});
