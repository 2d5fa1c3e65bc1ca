/** What members gave away ends with their right to give it. */
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createShare, listShares, openShare, revokeSharesOf } from "#lib/analytics/shares";
import { newShare } from "#lib/analytics/shares/schema";
import { prisma } from "#lib/platform/prisma";
import { redis } from "#lib/platform/redis";
import type { WorkspaceScope } from "#lib/tenancy/access";
import type { Role } from "#lib/tenancy/access/schema";
import { listAudit } from "#lib/tenancy/audit";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  acceptInvitation,
  changeRole,
  findInvitation,
  inviteMember,
  leaveWorkspace,
  listInvitations,
  removeMember,
  transferOwnership,
} from "./index.ts";

const dataDir = join(tmpdir(), `fuxi-rights-${process.pid}`);
openTestStores({ FUXI_DATA_DIR: dataDir });
afterAll(() => rm(dataDir, { recursive: true, force: true }));
beforeEach(async () => {
  await redis().flushdb();
});

const address = "203.0.113.7";
const share = newShare.parse({ name: "All", kind: "workspace", parts: ["figures"] });

function idOf(scope: WorkspaceScope): string {
  if (scope.userId === null) throw new Error("Nobody");
  return scope.userId;
}

function userOf(scope: WorkspaceScope, email: string) {
  if (scope.userPk === null) throw new Error("Nobody");
  return { pk: scope.userPk, id: idOf(scope), email };
}

async function invite(scope: WorkspaceScope, role: "admin" | "member" | "viewer") {
  const { address: link } = await inviteMember(scope, { role, days: 7 }, "en");
  return new URL(link).searchParams.get("token") ?? "";
}

test.each<Role>(["member", "viewer"])(
  "an admin who becomes a %s leaves no open invitation",
  async (role) => {
    const scope = await makeTestScope(`demoting-${role}`);
    const admin = await joinTestScope(scope, `demoted-${role}`, "admin");
    const token = await invite(admin, "admin");
    await invite(scope, "viewer");
    await changeRole(scope, idOf(admin), role);
    expect(await listInvitations(scope)).toMatchObject([{ role: "viewer" }]);
    const second = await makeTestScope(`second-account-${role}`);
    expect(await acceptInvitation(userOf(second, "second@example.com"), token)).toEqual({
      ok: false,
      code: "invitation_over",
    });
  },
);

test("an owner who becomes an admin keeps the invitations that an admin may send", async () => {
  const scope = await makeTestScope("giving-away");
  const next = await joinTestScope(scope, "next-owner", "member");
  const token = await invite(scope, "admin");
  await transferOwnership(scope, idOf(next));
  const guest = await makeTestScope("given-guest");
  expect(await acceptInvitation(userOf(guest, "given-guest@example.com"), token)).toMatchObject({
    ok: true,
  });
});

test.each([
  [
    "demoted",
    (scope: WorkspaceScope, pk: number) =>
      prisma().membership.updateMany({
        where: { workspacePk: scope.workspacePk, userPk: pk },
        data: { role: "viewer" },
      }),
  ],
  [
    "removed",
    (scope: WorkspaceScope, pk: number) =>
      prisma().membership.deleteMany({ where: { workspacePk: scope.workspacePk, userPk: pk } }),
  ],
] as const)(
  "an invitation that still exists admits nobody once its sender was %s",
  async (name, end) => {
    const scope = await makeTestScope(`looking-${name}`);
    const admin = await joinTestScope(scope, `sender-${name}`, "admin");
    const token = await invite(admin, "admin");
    expect(await findInvitation(token, address)).toMatchObject({ role: "admin" });
    // Without the deletion that belongs to it, as if the invitation had been written at the same moment.
    await end(scope, admin.userPk ?? 0);
    expect(await findInvitation(token, address)).toBeUndefined();
    const guest = await makeTestScope(`late-guest-${name}`);
    expect(await acceptInvitation(userOf(guest, `late-guest-${name}@example.com`), token)).toEqual({
      ok: false,
      code: "invitation_over",
    });
  },
);

test("owners see which share links a former member created, and end them with the removal or later", async () => {
  const scope = await makeTestScope("sharing");
  const admin = await joinTestScope(scope, "sharer", "admin");
  const other = await joinTestScope(scope, "leaver", "admin");
  const theirs = await createShare(admin, share);
  await createShare(other, share);
  const own = await createShare(scope, share);
  const former = async () => (await listShares(scope)).map(({ formerMember }) => formerMember);
  expect(await former()).toEqual([null, null, null]);
  await removeMember(scope, idOf(admin));
  await leaveWorkspace(other);
  expect(await former()).toEqual([null, "leaver", "sharer"]);
  expect(await revokeSharesOf(scope, idOf(admin))).toBe(1);
  expect(await openShare({ token: theirs.token, grant: undefined, address })).toMatchObject({
    ok: false,
  });
  expect(await openShare({ token: own.token, grant: undefined, address })).toMatchObject({
    ok: true,
  });
  const [entry] = await listAudit(scope, { pageSize: 1 });
  expect(entry).toMatchObject({ action: "share.revoke", subject: theirs.id });
  await prisma().user.delete({ where: { id: idOf(other) } });
  expect(await former()).toEqual([null, ""]);
});

test("only those who manage a workspace end the share links of others, and those of other workspaces stay", async () => {
  const scope = await makeTestScope("guarded");
  const member = await joinTestScope(scope, "guarded-member", "member");
  const foreign = await makeTestScope("guarded-foreign");
  const { token } = await createShare(scope, share);
  await expect(revokeSharesOf(member, idOf(scope))).rejects.toMatchObject({ code: "forbidden" });
  expect(await revokeSharesOf(foreign, idOf(scope))).toBe(0);
  expect(await openShare({ token, grant: undefined, address })).toMatchObject({ ok: true });
});
