/**
 * Share links: stats of a workspace, a link, a folder or a tag for anyone with the URL. The URL is
 * the secret: 192 random bits. The database finds it by its hash, and stores it sealed, to show it
 * again to members who may revoke it. A share is looked up at every query, so that a revoked share,
 * or one whose subject was deleted, stops at once.
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
import { findSubject, missingShare, subjectOf } from "./subjects.ts";
import { makeToken, openToken } from "./tokens.ts";

export {
  exportShare,
  type Guest,
  openShare,
  queryDemo,
  queryShare,
  unlockShare,
} from "./guests.ts";
export { grantSeconds, shareColumn } from "./tokens.ts";

export const sharesMax = 200;

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
    await lockWorkspace(tx, workspacePk);
    if ((await countRows(tx, workspacePk)) >= sharesMax) {
      const message = `A workspace can have up to ${sharesMax} share links. Revoke one first.`;
      throw new AppError("forbidden", message);
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

export async function listShares(scope: WorkspaceScope): Promise<Share[]> {
  assertMay(scope, "analytics.read");
  return (await listRows(scope.workspacePk, creatorOf(scope))).map(presentShare);
}

function creatorOf(scope: WorkspaceScope): string | null {
  return scope.permissions.has("workspace.write") ? null : scope.actor;
}

/** For members who may revoke it. Throws not_found, and conflict if the token was not stored. */
export async function getShareToken(scope: WorkspaceScope, id: string): Promise<string> {
  // defence: share-token-needs-write
  assertMay(scope, "links.write");
  // defence: share-token-for-creator
  const sealed = await findSealedToken(scope.workspacePk, id, creatorOf(scope));
  if (sealed === undefined) throw missingShare();
  return openToken(sealed, id);
}

export async function revokeShare(scope: WorkspaceScope, id: string): Promise<void> {
  assertMay(scope, "links.write");
  const { workspacePk, actor } = scope;
  if (!/^share_[0-9A-Z]{26}$/.test(id)) throw missingShare();
  await transaction(async (tx) => {
    const name = await deleteRow(tx, workspacePk, id, creatorOf(scope));
    if (name === undefined) throw missingShare();
    const action = "share.revoke" as const;
    await recordAudit(tx, [{ workspacePk, actor, action, subject: id, details: { name } }]);
  });
}

/** Also ends shares of people who left the workspace. Returns how many. */
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
