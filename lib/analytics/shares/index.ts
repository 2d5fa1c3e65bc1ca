/**
 * Share links: stats of a workspace, a link, a folder or a tag for anyone with the URL.
 *
 * The URL is the secret: 192 random bits, of which the database stores the hash, so it is shown once. A share is looked
 * up at every query and never cached: a revoked share, or one whose subject was deleted, stops at once. With a
 * password, a cookie of the share's own path records that it was entered.
 */
import { hash, randomBytes } from "node:crypto";
import { askSeveral } from "#lib/analytics/reports";
import { severalQuery } from "#lib/analytics/reports/schema";
import { resolveFolder } from "#lib/links/folders";
import { getLink } from "#lib/links/reading";
import { AppError, issueMessage } from "#lib/platform/errors";
import { newId, presentId } from "#lib/platform/ids";
import { addressSubject, type LimitName, tryLimit } from "#lib/platform/limits";
import { hashPasswords, verifyPassword } from "#lib/platform/passwords";
import { transaction } from "#lib/platform/postgres";
import {
  assertConfirmed,
  assertMay,
  lockWorkspace,
  openShareScope,
  type WorkspaceScope,
} from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import { assertLive } from "#lib/tenancy/live-actors";
import { isGrant, makeGrant } from "./grants.ts";
import { keepShownFields, restrictQuery, tableOf } from "./queries.ts";
import type { NewShare, PublicShare, Share } from "./schema.ts";
import {
  countRows,
  deleteRow,
  deleteRowsOf,
  findByToken,
  findTagPk,
  insertRow,
  type ListedRow,
  listRows,
  type ShareRow,
} from "./store.ts";

export { grantSeconds } from "./grants.ts";

/** Per workspace. */
export const sharesMax = 200;
const tokenBytes = 24;
const tokenShape = /^[\w-]{32}$/;

function hashToken(token: string): string {
  return hash("sha256", token, "hex");
}

/** Creates a share. Only this result contains its token. */
export async function createShare(
  scope: WorkspaceScope,
  body: NewShare,
): Promise<{ id: string; token: string }> {
  assertMay(scope, "links.write");
  assertConfirmed(scope);
  const subjectPk = await findSubject(scope, body);
  const passwordHash = body.password === undefined ? null : await hashOf(scope, body.password);
  const token = randomBytes(tokenBytes).toString("base64url");
  const { workspacePk, actor } = scope;
  const { name, kind, parts, daysMax = null, endsAt = null } = body;
  const id = newId("share");
  await transaction(async (tx) => {
    await assertLive(tx, scope);
    // One at a time per workspace, so that the count is exact until the commit.
    await lockWorkspace(tx, workspacePk);
    if ((await countRows(tx, workspacePk)) >= sharesMax) {
      throw new AppError(
        "forbidden",
        `A workspace can have up to ${sharesMax} share links. Revoke one first.`,
      );
    }
    const settings = { name, kind, parts, daysMax, endsAt };
    const tokenHash = hashToken(token);
    await insertRow(tx, {
      ...settings,
      id,
      workspacePk,
      subjectPk,
      tokenHash,
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

/** The pk of the shared object; null for the whole workspace. Throws not_found. */
async function findSubject(scope: WorkspaceScope, body: NewShare): Promise<number | null> {
  const { kind, subjectId = "" } = body;
  if (kind === "link") return (await getLink(scope, subjectId)).pk;
  if (kind === "folder") {
    const folder = await resolveFolder(scope, subjectId, "read");
    if (folder.ok) return folder.pk;
    throw new AppError("not_found", folder.message);
  }
  // These include every folder, even those closed to other members.
  assertMay(scope, "workspace.write");
  if (kind === "workspace") return null;
  const pk = /^tag_[0-9A-Z]{26}$/.test(subjectId)
    ? await findTagPk(scope.workspacePk, subjectId)
    : undefined;
  if (pk === undefined) throw new AppError("not_found", "Tag not found in this workspace.");
  return pk;
}

/** The shares that the actor may revoke: their own, and for admins all of them. */
export async function listShares(scope: WorkspaceScope): Promise<Share[]> {
  assertMay(scope, "analytics.read");
  return (await listRows(scope.workspacePk, creatorOf(scope))).map(presentShare);
}

function creatorOf(scope: WorkspaceScope): string | null {
  return scope.permissions.has("workspace.write") ? null : scope.actor;
}

/** Ends a share at once. Throws not_found. */
export async function revokeShare(scope: WorkspaceScope, id: string): Promise<void> {
  assertMay(scope, "links.write");
  const { workspacePk, actor } = scope;
  if (!/^share_[0-9A-Z]{26}$/.test(id)) throw missing();
  await transaction(async (tx) => {
    const name = await deleteRow(tx, workspacePk, id, creatorOf(scope));
    if (name === undefined) throw missing();
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

function missing(): AppError {
  return new AppError("not_found", "Share link not found.");
}

function presentShare(row: ListedRow): Share {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    subjectId: subjectOf(row),
    parts: row.parts,
    daysMax: row.days_max,
    hasPassword: row.password_hash !== null,
    endsAt: row.ends_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    formerMember: row.former_member,
  };
}

function subjectOf({ kind, subject }: ShareRow): string | null {
  return kind === "link" && subject !== null ? presentId("link", subject) : subject;
}

/** A visitor with the URL of a share. */
export interface Guest {
  token: string;
  /** The value of the cookie. */
  grant: string | undefined;
  address: string;
}

export type OpenShare =
  | { ok: true; share: PublicShare }
  | { ok: false; code: "missing" | "password_needed" }
  | { ok: false; code: "too_many"; retryAfterSeconds: number };

/** What a guest may see of a share; without the password not even its name. */
export async function openShare(guest: Guest): Promise<OpenShare> {
  const found = await admitGuest(guest);
  if (!found.ok) return found;
  const { name, kind, parts, days_max: daysMax } = found.row;
  return { ok: true, share: { name, kind, parts, daysMax, zone: found.scope.zone } };
}

/** The answer of the API, limited to what the share shows; throws not_found, unauthorized and rate_limit_exceeded. */
export async function queryShare(guest: Guest, query: URLSearchParams): Promise<unknown> {
  const answers = await resultsOf(guest, query);
  const [only] = answers;
  return answers.length === 1 && only ? only[1] : Object.fromEntries(answers);
}

/** One card as a CSV file: the rows and fields that the page shows. */
export async function exportShare(
  guest: Guest,
  query: URLSearchParams,
): Promise<{ name: string; text: string }> {
  const [only, another] = await resultsOf(guest, query);
  if (!only || another || !Array.isArray(only[1])) {
    const message = "groupBy: Use exactly one grouping with rows, such as countries.";
    throw new AppError("unprocessable_entity", message);
  }
  const [groupBy, rows] = only;
  return { name: `fuxi-${groupBy}.csv`, text: tableOf(groupBy, rows) };
}

async function resultsOf(guest: Guest, query: URLSearchParams): Promise<[string, unknown][]> {
  const found = await admitGuest(guest);
  if (!found.ok) throw errorOfOutcome(found);
  const { row, scope } = found;
  const { kind, parts, days_max: daysMax } = row;
  const shown = { kind, parts, daysMax, subjectId: subjectOf(row) ?? undefined };
  const parsed = severalQuery.safeParse(
    Object.fromEntries(restrictQuery(query, shown, Date.now())),
  );
  if (!parsed.success) {
    throw new AppError("unprocessable_entity", issueMessage(parsed.error.issues[0]));
  }
  const answers = [...(await askSeveral(scope, parsed.data))];
  return answers.map(([name, { answer }]) => [name, keepShownFields(name, answer)]);
}

function errorOfOutcome(found: Extract<OpenShare, { ok: false }>): AppError {
  if (found.code === "too_many") {
    const message = "Too many requests from your IP address. Wait, then try again.";
    return new AppError("rate_limit_exceeded", message, found.retryAfterSeconds);
  }
  return found.code === "missing"
    ? missing()
    : new AppError(
        "unauthorized",
        "This share link is password-protected. Open it and enter the password.",
      );
}

type GuestAdmission =
  | { ok: true; row: ShareRow; scope: WorkspaceScope }
  | Extract<OpenShare, { ok: false }>;

async function admitGuest({ token, grant, address }: Guest): Promise<GuestAdmission> {
  const limited = await limitFailure("sharePerAddress", addressSubject(address));
  if (limited) return limited;
  const row = tokenShape.test(token) ? await findByToken(hashToken(token)) : undefined;
  if (!row || (row.kind !== "workspace" && row.subject === null))
    return { ok: false, code: "missing" };
  const { password_hash: secret } = row;
  if (secret !== null && !isGrant(grant ?? "", row.pk, secret, Date.now())) {
    return { ok: false, code: "password_needed" };
  }
  const scope = await openShareScope(row.workspace_pk, row.id);
  return scope ? { ok: true, row, scope } : { ok: false, code: "missing" };
}

async function limitFailure(
  name: LimitName,
  subject: string,
): Promise<{ ok: false; code: "too_many"; retryAfterSeconds: number } | undefined> {
  const attempt = await tryLimit(name, subject);
  if (attempt.ok) return undefined;
  return { ok: false, code: "too_many", retryAfterSeconds: attempt.retryAfterSeconds };
}

export type UnlockOutcome =
  | { ok: true; grant: string }
  | { ok: false; code: "missing" | "wrong" }
  | { ok: false; code: "too_many"; retryAfterSeconds: number };

/** Returns a grant for the right password. */
export async function unlockShare(
  token: string,
  password: string,
  address: string,
): Promise<UnlockOutcome> {
  const row = tokenShape.test(token) ? await findByToken(hashToken(token)) : undefined;
  if (!row?.password_hash) return { ok: false, code: "missing" };
  const limited =
    (await limitFailure("sharePasswordPerAddress", addressSubject(address))) ??
    (await limitFailure("sharePasswordPerShare", row.id));
  if (limited) return limited;
  if (!(await verifyPassword(password, row.password_hash))) return { ok: false, code: "wrong" };
  return { ok: true, grant: makeGrant(row.pk, row.password_hash, Date.now()) };
}
