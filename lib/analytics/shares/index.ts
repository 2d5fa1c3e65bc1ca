/**
 * Share links: stats of a workspace, a link, a folder or a tag for anyone with the URL.
 *
 * The URL is the secret: 192 random bits. The database finds it by its hash, and stores it sealed, so that it can be shown
 * again to those who may revoke it. A share is looked up at every query and never cached: a revoked share, or one whose subject was deleted, stops at once. With a
 * password, a cookie of the share's own path records that it was entered.
 */

import { newId } from "#lib/basics/ids";
import { AppError } from "#lib/platform/errors";
import { hashPasswords } from "#lib/platform/passwords";
import { transaction } from "#lib/platform/postgres";
import {
  assertConfirmed,
  assertMay,
  lockWorkspace,
  type WorkspaceScope,
} from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import { assertFeatureOn } from "#lib/tenancy/features";
import { assertLive } from "#lib/tenancy/live-actors";
import { missingShare, subjectOf } from "./names.ts";
import type { NewShare, Share } from "./schema.ts";
import {
  countRows,
  deleteRow,
  deleteRowsOf,
  findSealedToken,
  insertRow,
  type ListedRow,
  listRows,
} from "./store.ts";
import { findSubject } from "./subjects.ts";
import { makeToken, openToken } from "./tokens.ts";

export { grantSeconds } from "./grants.ts";
export {
  exportShare,
  type Guest,
  openShare,
  queryShare,
  unlockShare,
} from "./guests.ts";
export { shareColumn } from "./tokens.ts";

/** Per workspace. */
export const sharesMax = 200;

/** Creates a share, and returns its token. */
export async function createShare(
  scope: WorkspaceScope,
  body: NewShare,
): Promise<{ id: string; token: string }> {
  assertMay(scope, "links.write");
  assertConfirmed(scope);
  await assertFeatureOn("shares");
  const subjectPk = await findSubject(scope, body);
  const passwordHash = body.password === undefined ? null : await hashOf(scope, body.password);
  const { workspacePk, actor } = scope;
  const { name, kind, parts, annotations, daysMax = null, endsAt = null } = body;
  const id = newId("share");
  const { token, tokenHash, sealedToken } = makeToken(id);
  await transaction(async (tx) => {
    // defence: ended-session-writes-no-share
    await assertLive(tx, scope);
    // One at a time per workspace, so that the count is exact until the commit.
    await lockWorkspace(tx, workspacePk);
    if ((await countRows(tx, workspacePk)) >= sharesMax) {
      throw new AppError(
        "forbidden",
        `A workspace can have up to ${sharesMax} share links. Revoke one first.`,
      );
    }
    const settings = { name, kind, parts, annotations, daysMax, endsAt };
    await insertRow(tx, {
      ...settings,
      id,
      workspacePk,
      subjectPk,
      tokenHash,
      sealedToken,
      passwordHash,
      madeBy: actor,
    });
    const details = {
      ...settings,
      subjectId: body.subjectId ?? null,
      password: passwordHash !== null,
    };
    await recordAudit(tx, [{ workspacePk, actor, action: "share.create", subject: id, details }]);
  });
  return { id, token };
}

async function hashOf(scope: WorkspaceScope, password: string): Promise<string | null> {
  const { workspacePk, actor } = scope;
  const hashes = await hashPasswords([password], { group: `${workspacePk}`, member: actor });
  return hashes.get(password) ?? null;
}

/** The shares that the actor may revoke: their own, and for admins all of them. */
export async function listShares(scope: WorkspaceScope): Promise<Share[]> {
  assertMay(scope, "analytics.read");
  return (await listRows(scope.workspacePk, creatorOf(scope))).map(presentShare);
}

function creatorOf(scope: WorkspaceScope): string | null {
  return scope.permissions.has("workspace.write") ? null : scope.actor;
}

/** The token of a share, for those who may revoke it. Throws not_found, and conflict for a share without a stored token. */
export async function getShareToken(scope: WorkspaceScope, id: string): Promise<string> {
  // defence: share-token-needs-write
  assertMay(scope, "links.write");
  // defence: share-token-for-creator
  const sealed = await findSealedToken(scope.workspacePk, id, creatorOf(scope));
  if (sealed === undefined) throw missingShare();
  return openToken(sealed, id);
}

/** Ends a share at once. Throws not_found. */
export async function revokeShare(scope: WorkspaceScope, id: string): Promise<void> {
  assertMay(scope, "links.write");
  const { workspacePk, actor } = scope;
  if (!/^share_[0-9A-Z]{26}$/.test(id)) throw missingShare();
  await transaction(async (tx) => {
    const name = await deleteRow(tx, workspacePk, id, creatorOf(scope));
    if (name === undefined) throw missingShare();
    await recordAudit(tx, [
      { workspacePk, actor, action: "share.revoke", subject: id, details: { name } },
    ]);
  });
}

/** Ends all shares that a person created in the workspace, also after they left it; returns their number. */
export async function revokeSharesOf(scope: WorkspaceScope, userId: string): Promise<number> {
  assertMay(scope, "workspace.write");
  const { workspacePk, actor } = scope;
  return await transaction(async (tx) => {
    const ended = await deleteRowsOf(tx, workspacePk, userId);
    await recordAudit(
      tx,
      ended.map(({ id, name }) => ({
        workspacePk,
        actor,
        action: "share.revoke",
        subject: id,
        details: { name },
      })),
    );
    return ended.length;
  });
}

function presentShare(row: ListedRow): Share {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    subjectId: subjectOf(row),
    parts: row.parts,
    daysMax: row.days_max,
    annotations: row.annotations,
    hasPassword: row.password_hash !== null,
    hasAddress: row.has_token,
    endsAt: row.ends_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    formerMember: row.former_member,
  };
}
