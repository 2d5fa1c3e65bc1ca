/** FUXI_SIGNUP=closed means closed: invited people cannot admit others by themselves. */
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { config } from "#lib/platform/config";
import { limits } from "#lib/platform/limits";
import { prisma } from "#lib/platform/prisma";
import { redis } from "#lib/platform/redis";
import { mayCreateWorkspaces, mayInvitePeople } from "#lib/tenancy/instance-rules";
import { acceptInvitation, inviteMember } from "#lib/tenancy/members";
import { createWorkspace, openWorkspace } from "#lib/tenancy/workspaces";
import { joinTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { signUp } from "./index.ts";

vi.mock("#lib/platform/config", { spy: true });
const dataDir = join(tmpdir(), `fuxi-closed-${process.pid}`);
openTestStores({ FUXI_DATA_DIR: dataDir, FUXI_SIGNUP: "closed" });
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const account = (name: string) => ({
  name,
  email: `${name}@example.com`,
  password: "correct horse",
});
let addresses = 0;
const newAddress = () => `198.18.1.${++addresses}`;
let owner: string;

beforeAll(async () => {
  const first = await signUp(account("first"), newAddress());
  if (!first.ok) throw new Error(first.code);
  owner = first.user.id;
  await createWorkspace(owner, { name: "Acme", slug: "acme-closed" });
});
beforeEach(async () => {
  vi.mocked(config).mockReset();
  await redis().flushdb();
});

function withSettings(more: object): void {
  const real = config();
  vi.mocked(config).mockReturnValue({ ...real, ...more });
}

async function ownScope() {
  const scope = await openWorkspace(owner, "acme-closed");
  if (!scope) throw new Error("No scope");
  return scope;
}

async function invite(more: { email?: string } = {}): Promise<string> {
  const body = { role: "viewer", days: 7, ...more } as const;
  const { address } = await inviteMember(await ownScope(), body, "en");
  return new URL(address).searchParams.get("token") ?? "";
}

async function userOf(id: string) {
  return await prisma().user.findUniqueOrThrow({
    where: { id },
    select: { pk: true, id: true, email: true },
  });
}

test("one invitation lets one of 20 people sign up at once, and only they join with it", async () => {
  const token = await invite();
  const people = Array.from({ length: 20 }, (_, at) => account(`guest-${at}`));
  const outcomes = await Promise.all(people.map((one) => signUp(one, newAddress(), token)));
  const [admitted, another] = outcomes.filter(({ ok }) => ok);
  expect(another).toBeUndefined();
  expect(outcomes.filter((one) => !one.ok && one.code === "sign_up_closed")).toHaveLength(19);
  const first = await ownScope();
  const other = await joinTestScope(first, "member-of-acme", "member");
  await prisma().membership.deleteMany({ where: { userPk: other.userPk ?? 0 } });
  expect(await acceptInvitation(await userOf(String(other.userId)), token)).toEqual({
    ok: false,
    code: "invitation_over",
  });
  const id = admitted?.ok ? admitted.user.id : "";
  expect(await acceptInvitation(await userOf(id), token)).toMatchObject({ ok: true });
  expect(await signUp(account("late"), newAddress(), token)).toEqual({
    ok: false,
    code: "sign_up_closed",
  });
});

test("a refused sign-up leaves the invitation to the next one", async () => {
  const token = await invite({ email: "wanted@example.com" });
  expect(await signUp(account("unwanted"), newAddress(), token)).toEqual({
    ok: false,
    code: "sign_up_closed",
  });
  expect(await signUp(account("wanted"), newAddress(), "x".repeat(43))).toMatchObject({
    code: "sign_up_closed",
  });
  const open = await invite();
  expect(await signUp(account("first"), newAddress(), open)).toEqual({
    ok: false,
    code: "email_taken",
  });
  expect(await signUp(account("second"), newAddress(), open)).toMatchObject({ ok: true });
  expect(await signUp(account("wanted"), newAddress(), token)).toMatchObject({ ok: true });
});

test("an invited viewer creates no workspace, unless the instance permits it to everyone", async () => {
  const invited = await signUp(account("viewer"), newAddress(), await invite());
  const id = invited.ok ? invited.user.id : "";
  const body = { name: "Own", slug: "own-space" };
  expect(await createWorkspace(id, body)).toEqual({ ok: false, code: "closed" });
  expect(await mayCreateWorkspaces(owner)).toBe(true);
  withSettings({ FUXI_WORKSPACES: "everyone" });
  expect(await createWorkspace(id, body)).toMatchObject({ ok: true });
});

test("an open instance permits workspaces to everyone, or to its administrators only", async () => {
  const [other] = await prisma().user.findMany({ where: { operator: false }, take: 1 });
  const id = other?.id ?? "";
  withSettings({ FUXI_SIGNUP: "open" });
  expect(await mayCreateWorkspaces(id)).toBe(true);
  vi.mocked(config).mockReset();
  withSettings({ FUXI_SIGNUP: "open", FUXI_WORKSPACES: "administrators" });
  expect(await mayCreateWorkspaces(id)).toBe(false);
  expect(await mayCreateWorkspaces(owner)).toBe(true);
});

test("with FUXI_INVITATIONS=administrators the admin of a workspace invites nobody", async () => {
  const scope = await ownScope();
  const admin = await joinTestScope(scope, "admin-of-acme", "admin");
  const body = { role: "viewer", days: 7 } as const;
  await inviteMember(admin, body, "en");
  withSettings({ FUXI_INVITATIONS: "administrators" });
  await expect(inviteMember(admin, body, "en")).rejects.toMatchObject({
    code: "forbidden",
    problem: { code: "invitations_closed" },
  });
  expect(await mayInvitePeople(admin.userId)).toBe(false);
  await inviteMember(scope, body, "en");
});

test("a person creates as many workspaces a day as the limit, and not one more, and failures do not count", async () => {
  withSettings({ FUXI_WORKSPACES: "everyone" });
  const { max } = limits.workspacePerPerson;
  const scope = await joinTestScope(await ownScope(), "founder", "member");
  const id = String(scope.userId);
  const taken = { ok: false, code: "slug_taken" };
  expect(await createWorkspace(id, { name: "A", slug: "acme-closed" })).toEqual(taken);
  for (let at = 0; at < max; at++) {
    expect(await createWorkspace(id, { name: "A", slug: `founded-${at}` })).toMatchObject({
      ok: true,
    });
  }
  const refused = await createWorkspace(id, { name: "A", slug: "one-more" });
  expect(refused).toMatchObject({ ok: false, code: "too_many", max });
  if (refused.ok || refused.code !== "too_many") throw new Error("Not refused");
  expect(refused.retryAfterSeconds).toBeGreaterThan(0);
  expect(await createWorkspace(owner, { name: "A", slug: "one-more" })).toMatchObject({ ok: true });
});

test("a person sends as many invitations a day as the limit, in whatever workspace, and is told when to go on", async () => {
  withSettings({ FUXI_WORKSPACES: "everyone" });
  const { max } = limits.invitationPerPerson;
  const scope = await joinTestScope(await ownScope(), "eager", "admin");
  const id = String(scope.userId);
  await createWorkspace(id, { name: "Second", slug: "eager-second" });
  const second = await openWorkspace(id, "eager-second");
  const body = { role: "viewer", days: 7 } as const;
  for (let at = 0; at < max; at++) {
    await inviteMember(at % 2 === 0 || !second ? scope : second, body, "en");
  }
  await expect(inviteMember(scope, body, "en")).rejects.toMatchObject({
    code: "rate_limit_exceeded",
    message: `Up to ${max} invitations can be sent in a day. Try again in 24 hours.`,
    problem: { code: "too_many_invitations", params: { max, hours: 24 } },
  });
  await inviteMember(await ownScope(), body, "en");
});
