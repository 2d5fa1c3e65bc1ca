import { readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { isMailConfigured } from "#lib/platform/config";
import { limits } from "#lib/platform/limits";
import { sendEmail } from "#lib/platform/mail";
import { prisma } from "#lib/platform/prisma";
import { redis } from "#lib/platform/redis";
import type { WorkspaceScope } from "#lib/tenancy/access";
import type { Role } from "#lib/tenancy/access/schema";
import { openWorkspace } from "#lib/tenancy/workspaces";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  acceptInvitation,
  changeRole,
  findInvitation,
  inviteMember,
  leaveWorkspace,
  listInvitations,
  listMembers,
  removeMember,
  revokeInvitation,
  transferOwnership,
} from "./index.ts";
import { invitationsMax } from "./invitations.ts";
import { inviteBody } from "./schema.ts";

vi.mock("#lib/platform/config", { spy: true });
vi.mock("#lib/platform/mail", { spy: true });
const dataDir = join(tmpdir(), `fuxi-members-${process.pid}`);
openTestStores({ FUXI_DATA_DIR: dataDir });
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const address = "203.0.113.7";
const body = { role: "member", days: 7 } as const;

function userOf(scope: WorkspaceScope, email: string) {
  if (scope.userPk === null || scope.userId === null) throw new Error("Nobody");
  return { pk: scope.userPk, id: scope.userId, email };
}

function idOf(scope: WorkspaceScope): string {
  if (scope.userId === null) throw new Error("Nobody");
  return scope.userId;
}

function tokenOf(link: string): string {
  return new URL(link).searchParams.get("token") ?? "";
}

async function rolesIn(scope: WorkspaceScope): Promise<string[]> {
  return (await listMembers(scope)).map(({ name, role }) => `${name} ${role}`);
}

test("of 20 people who follow one invitation at once exactly one joins", async () => {
  const scope = await makeTestScope("once");
  const { address: link, email } = await inviteMember(scope, body, "en");
  expect(email).toBe("not_wanted");
  const people = await Promise.all(
    Array.from({ length: 20 }, (_, at) => makeTestScope(`guest-${at}`)),
  );
  const outcomes = await Promise.all(
    people.map((one, at) =>
      acceptInvitation(userOf(one, `guest-${at}@example.com`), tokenOf(link)),
    ),
  );
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
  expect(outcomes).toContainEqual({ ok: false, code: "invitation_over" });
  expect(await listMembers(scope)).toHaveLength(2);
  expect(await listInvitations(scope)).toEqual([]);
});

test("an invitation for an address is accepted only by its owner, and the email names its place", async () => {
  const scope = await makeTestScope("named");
  const email = "wanted@example.com";
  const invited = await inviteMember(scope, { ...body, email }, "zh");
  // The instance of this test has no mail server: the email stays in its outbox.
  expect(invited.email).toBe("no_server");
  const files = await readdir(join(dataDir, "outbox"));
  const mail = await readFile(join(dataDir, "outbox", files[0] ?? ""), "utf8");
  expect(mail).toContain("To: wanted@example.com");
  const token = tokenOf(invited.address);
  const other = await makeTestScope("other");
  const refused = { ok: false, code: "invitation_other" };
  expect(await acceptInvitation(userOf(other, "other@example.com"), token)).toEqual(refused);
  const wanted = await makeTestScope("wanted");
  expect(await acceptInvitation(userOf(wanted, email), token)).toEqual({
    ok: true,
    slug: scope.slug,
  });
  expect(await rolesIn(scope)).toEqual(["named owner", "wanted member"]);
});

test("the inviter learns whether the email was sent, refused, or never left for want of a mail server", async () => {
  const scope = await makeTestScope("posting");
  const sending = async () => {
    return (await inviteMember(scope, { ...body, email: "x@example.com" }, "en")).email;
  };
  expect(await sending()).toBe("no_server");
  vi.mocked(sendEmail).mockRejectedValueOnce(new Error("refused"));
  expect(await sending()).toBe("refused");
  vi.mocked(sendEmail).mockResolvedValueOnce();
  // The first question is whether the inviter has to confirm their own address.
  vi.mocked(isMailConfigured).mockReturnValueOnce(false).mockReturnValueOnce(true);
  expect(await sending()).toBe("sent");
});

test("an expired, revoked or invented invitation is refused", async () => {
  const scope = await makeTestScope("over");
  const guest = await makeTestScope("late");
  const user = userOf(guest, "late@example.com");
  const over = tokenOf((await inviteMember(scope, body, "en")).address);
  await prisma().invitation.updateMany({ data: { expiresAt: new Date(Date.now() - 1_000) } });
  const revoked = tokenOf((await inviteMember(scope, body, "en")).address);
  const [open] = await listInvitations(scope);
  await revokeInvitation(scope, open?.id ?? "");
  await expect(revokeInvitation(scope, open?.id ?? "")).rejects.toThrow("revoked");
  for (const token of [over, revoked, "x".repeat(43), "", "\0", "x".repeat(100_000)]) {
    expect(await findInvitation(token, address)).toBeUndefined();
    expect(await acceptInvitation(user, token)).toEqual({ ok: false, code: "invitation_over" });
  }
});

test("another workspace's invitation is revoked exactly like a missing one", async () => {
  const scope = await makeTestScope("theirs");
  await inviteMember(scope, body, "en");
  const [open] = await listInvitations(scope);
  const foreign = await makeTestScope("foreign");
  const missing = revokeInvitation(foreign, "inv_missing").catch(String);
  expect(await revokeInvitation(foreign, open?.id ?? "").catch(String)).toBe(await missing);
  expect(await listInvitations(scope)).toHaveLength(1);
});

test("the database stores no plain token of an invitation", async () => {
  const scope = await makeTestScope("hashed");
  const token = tokenOf((await inviteMember(scope, body, "en")).address);
  const rows = await prisma().invitation.findMany({ where: { workspacePk: scope.workspacePk } });
  const kept = JSON.stringify(rows.map((row) => [row, Buffer.from(row.hash).toString()]));
  expect(kept).not.toContain(token);
  expect(await findInvitation(token, address)).toMatchObject({ inviter: "hashed" });
});

test("guessing invitations stops at its limit, and holders of a valid one are not affected", async () => {
  const scope = await makeTestScope("guessed");
  const token = tokenOf((await inviteMember(scope, body, "en")).address);
  await redis().flushdb();
  const { max } = limits.invitationPerAddress;
  for (let tries = 0; tries < max; tries++) await findInvitation("x".repeat(43), "192.0.2.1");
  expect(await findInvitation(token, "192.0.2.1")).toBeUndefined();
  for (let tries = 0; tries <= max; tries++) {
    expect(await findInvitation(token, "192.0.2.2")).toBeDefined();
  }
});

test(`a workspace has ${invitationsMax} pending invitations, and not one more`, async () => {
  const scope = await makeTestScope("many");
  const now = new Date();
  const row = (at: number) => ({
    id: `inv_${at}`,
    workspacePk: scope.workspacePk,
    role: "member",
    hash: Buffer.from(`hash ${at}`),
    invitedBy: idOf(scope),
    expiresAt: new Date(now.getTime() + 60_000),
  });
  const rows = Array.from({ length: invitationsMax - 1 }, (_, at) => row(at));
  await prisma().invitation.createMany({ data: rows });
  await inviteMember(scope, body, "en");
  await expect(inviteMember(scope, body, "en")).rejects.toThrow(String(invitationsMax));
});

test("a workspace invites as many people a day as the limit, and not one more, and another is not affected", async () => {
  const scope = await makeTestScope("eager");
  // Each person has a limit of their own.
  const senders = [scope, await joinTestScope(scope, "eager-too", "admin")];
  const other = await makeTestScope("patient");
  const { max } = limits.invitationPerWorkspace;
  for (let at = 0; at < max; at++) {
    const { address: link } = await inviteMember(senders[at % 2] ?? scope, body, "en");
    expect(tokenOf(link)).not.toBe("");
    // Open invitations have a limit of their own.
    await prisma().invitation.deleteMany({ where: { workspacePk: scope.workspacePk } });
  }
  const third = await joinTestScope(scope, "eager-three", "admin");
  await expect(inviteMember(third, body, "en")).rejects.toMatchObject({
    code: "rate_limit_exceeded",
  });
  expect(await listInvitations(scope)).toEqual([]);
  await inviteMember(other, body, "en");
});

test("a role may be admin, member or viewer, for 1 to 30 days", () => {
  const fits = (value: object) => inviteBody.safeParse({ role: "viewer", ...value }).success;
  expect([fits({}), fits({ days: 1 }), fits({ days: 30 }), fits({ role: "admin" })]).not.toContain(
    false,
  );
  expect([fits({ days: 0 }), fits({ days: 31 }), fits({ role: "owner" })]).not.toContain(true);
});

test.each<Role>(["member", "viewer"])("a %s changes nothing about members", async (role) => {
  const scope = await makeTestScope(`only-${role}`);
  const theirs = await joinTestScope(scope, `small-${role}`, role);
  const owner = idOf(scope);
  await expect(inviteMember(theirs, body, "en")).rejects.toThrow("members.write");
  await expect(listInvitations(theirs)).rejects.toThrow("members.write");
  await expect(changeRole(theirs, owner, "viewer")).rejects.toThrow("members.write");
  await expect(removeMember(theirs, owner)).rejects.toThrow("members.write");
  await expect(transferOwnership(theirs, idOf(theirs))).rejects.toThrow("members.write");
  expect(await leaveWorkspace(theirs)).toEqual({ ok: true });
});

test("an admin creates no owner, and changes none", async () => {
  const scope = await makeTestScope("boss");
  const admin = await joinTestScope(scope, "deputy", "admin");
  const member = await joinTestScope(scope, "hand", "member");
  const refused = { ok: false, code: "owner_only" };
  expect(await changeRole(admin, idOf(admin), "owner")).toEqual(refused);
  expect(await changeRole(admin, idOf(member), "owner")).toEqual(refused);
  expect(await changeRole(admin, idOf(scope), "member")).toEqual(refused);
  expect(await removeMember(admin, idOf(scope))).toEqual(refused);
  expect(await transferOwnership(admin, idOf(member))).toEqual(refused);
  expect(await changeRole(admin, idOf(member), "admin")).toEqual({ ok: true });
  expect(await rolesIn(scope)).toEqual(["boss owner", "deputy admin", "hand admin"]);
});

test("a scope created before a change of role changes nothing any more", async () => {
  const scope = await makeTestScope("before");
  const admin = await joinTestScope(scope, "fallen", "admin");
  await changeRole(scope, idOf(admin), "viewer");
  await expect(removeMember(admin, idOf(scope))).rejects.toThrow("Your role was changed");
});

test("a member of another workspace is changed exactly like a missing one", async () => {
  const scope = await makeTestScope("here");
  const otherScope = await makeTestScope("elsewhere");
  const missing = { ok: false, code: "not_found" };
  expect(await changeRole(scope, idOf(otherScope), "viewer")).toEqual(missing);
  expect(await removeMember(scope, idOf(otherScope))).toEqual(missing);
  expect(await transferOwnership(scope, "user_missing")).toEqual(missing);
});

test("however five owners leave, remove and demote each other at once, one stays", async () => {
  for (let round = 0; round < 5; round++) {
    const scope = await makeTestScope(`round-${round}`);
    const names = ["a", "b", "c", "d"].map((name) => `${name}-${round}`);
    const others = await Promise.all(names.map((name) => joinTestScope(scope, name, "owner")));
    const all = [scope, ...others];
    const acts = all.flatMap((one, at) => {
      const next = idOf(all[(at + 1) % all.length] ?? scope);
      return [
        leaveWorkspace(one),
        removeMember(one, next),
        changeRole(one, next, "viewer"),
        changeRole(one, idOf(one), "member"),
        transferOwnership(one, next),
      ];
    });
    const outcomes = await Promise.allSettled(acts);
    const owners = await prisma().membership.count({
      where: { workspacePk: scope.workspacePk, role: "owner" },
    });
    expect(owners).toBeGreaterThanOrEqual(1);
    const thrown = outcomes.flatMap((one) =>
      one.status === "rejected" ? [String(one.reason)] : [],
    );
    expect(thrown.filter((text) => !text.includes("Your role was changed"))).toEqual([]);
  }
});

test("two owners who remove each other at once leave one of them", async () => {
  const scope = await makeTestScope("first");
  const theirs = await joinTestScope(scope, "second", "owner");
  const outcomes = await Promise.all([
    removeMember(scope, idOf(theirs)),
    removeMember(theirs, idOf(scope)),
  ]);
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await listMembers(scope)).toHaveLength(1);
});

test("the last owner can neither leave nor step down nor be removed, until ownership is given away", async () => {
  const scope = await makeTestScope("last");
  const successor = await joinTestScope(scope, "heir", "viewer");
  const refused = { ok: false, code: "last_owner" };
  expect(await leaveWorkspace(scope)).toEqual(refused);
  expect(await changeRole(scope, idOf(scope), "admin")).toEqual(refused);
  expect(await removeMember(scope, idOf(scope))).toEqual(refused);
  expect(await transferOwnership(scope, idOf(successor))).toEqual({ ok: true });
  expect(await rolesIn(scope)).toEqual(["last admin", "heir owner"]);
  const now = await openWorkspace(idOf(scope), scope.slug);
  expect(now && (await leaveWorkspace(now))).toEqual({ ok: true });
});

test("invitations of a removed member are deleted with them", async () => {
  const scope = await makeTestScope("host");
  const admin = await joinTestScope(scope, "inviter", "admin");
  await inviteMember(admin, body, "en");
  await inviteMember(scope, body, "en");
  await removeMember(scope, idOf(admin));
  expect(await listInvitations(scope)).toHaveLength(1);
});

test("every change of members leaves an audit entry with its actor", async () => {
  const scope = await makeTestScope("watched");
  const guest = await makeTestScope("watched-guest");
  const link = (await inviteMember(scope, body, "en")).address;
  await acceptInvitation(userOf(guest, "watched-guest@example.com"), tokenOf(link));
  await changeRole(scope, idOf(guest), "viewer");
  await removeMember(scope, idOf(guest));
  const rows = await prisma().auditEntry.findMany({
    where: { workspacePk: scope.workspacePk },
    orderBy: { pk: "asc" },
  });
  expect(rows.map(({ actor, action }) => [actor === idOf(scope), action])).toEqual([
    [true, "workspace.create"],
    [true, "member.invite"],
    [false, "member.join"],
    [true, "member.edit"],
    [true, "member.remove"],
  ]);
});
