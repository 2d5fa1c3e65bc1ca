/**
 * Administrators of the instance and their access to all workspaces.
 *
 * An `OperatorScope` is the proof: only a person with `operator` whose session has passed the second factor gets one, or a
 * script with FUXI_ADMIN_TOKEN, or the command line of the server. Functions of the back office take it first. Whatever
 * they read or change of a workspace is recorded in the audit log of that workspace.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { config } from "#lib/platform/config";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { type AuditEntry, type RequestOrigin, recordAudit } from "#lib/tenancy/audit";

declare const operatorBrand: unique symbol;

/** Proof of an administrator. */
export interface OperatorScope {
  readonly [operatorBrand]: true;
  /** `user_…`, or `system` for a script and the command line. */
  readonly actor: string;
  /** Null for a script and the command line. */
  readonly userPk: number | null;
  readonly via: "dashboard" | "token" | "cli";
  readonly origin: RequestOrigin;
}

/** Hours after which the back office asks for the second factor again. */
export const officeFactorHours = 12;
/** Minutes without a use after which the access to the back office ends. */
export const officeIdleMinutes = 30;

export type OperatorAccess =
  | { ok: true; operator: OperatorScope }
  /**
   * `hidden`: the back office does not exist for this person. `factor_missing`: the account has no second factor.
   * `factor_due`: this session has not passed it, or too long ago.
   */
  | { ok: false; code: "hidden" | "factor_missing" | "factor_due" };

/** The access of a signed-in person. The session itself must have passed the second factor. */
export async function openOperator(
  user: { pk: number; sessionId: string },
  origin: RequestOrigin,
): Promise<OperatorAccess> {
  // SQL: not from the cache of sessions, so that a change applies at once. Administrators are few: each use is noted,
  // so that the time without one is exact. Answered by session_pkey and app_user_pkey.
  const [row] = await query<{ id: string; factor: boolean; passed: boolean }>(
    // defence: operators-only
    // defence: office-factor-age
    // defence: office-idle-end
    sql`
      WITH found AS (
        SELECT
          app_user.id,
          app_user.factor_since IS NOT NULL AS factor,
          coalesce(
            session.factor_at > now() - ${officeFactorHours} * interval '1 hour'
              AND greatest(session.factor_at, session.office_at)
                > now() - ${officeIdleMinutes} * interval '1 minute',
            false) AS passed
        FROM app_user
        JOIN session ON session.user_pk = app_user.pk
        WHERE app_user.pk = ${user.pk}
          AND app_user.operator
          AND app_user.email_proven_at IS NOT NULL
          AND session.id = ${user.sessionId}
          AND session.ended_at IS NULL
      ), used AS (
        UPDATE session
        SET office_at = now()
        WHERE id = ${user.sessionId}
          AND EXISTS (SELECT FROM found WHERE factor AND passed)
      )
      SELECT id, factor, passed FROM found`,
  );
  if (!row) return { ok: false, code: "hidden" };
  // defence: operator-second-factor
  if (!row.factor) return { ok: false, code: "factor_missing" };
  // defence: office-needs-factor
  if (!row.passed) return { ok: false, code: "factor_due" };
  const scope = { actor: row.id, userPk: user.pk, via: "dashboard", origin } as const;
  return { ok: true, operator: operatorScope(scope) };
}

/** The scope of a script with FUXI_ADMIN_TOKEN; undefined for any other token. */
export function operatorOfToken(token: string, origin: RequestOrigin): OperatorScope | undefined {
  const expected = config().FUXI_ADMIN_TOKEN;
  if (expected === undefined || !timingSafeEqual(digest(token), digest(expected))) return undefined;
  return operatorScope({ actor: "system", userPk: null, via: "token", origin });
}

/** Of equal length for any input, so that the comparison takes constant time. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** The scope of commands on the server itself: who can run them can read the database. */
export function operatorOfCommandLine(): OperatorScope {
  const origin = { address: "", agent: "cli" };
  return operatorScope({ actor: "system", userPk: null, via: "cli", origin });
}

/** The only cast to the brand: the callers above have just proved it. */
function operatorScope(scope: Omit<OperatorScope, typeof operatorBrand>): OperatorScope {
  return Object.freeze(scope) as OperatorScope;
}

type OperatorAction = Extract<AuditEntry["action"], `operator.${string}`>;

export interface Look {
  action?: OperatorAction;
  /** Id of what was viewed. */
  subject?: string;
  details?: Record<string, unknown>;
}

/** Records that an administrator viewed data of a workspace. `workspacePk` null: a person, or the whole instance. */
export async function auditLook(
  operator: OperatorScope,
  workspacePk: number | null,
  what: Look,
): Promise<void> {
  await auditLooks(operator, [workspacePk], what);
}

/** The same in the log of each of these workspaces. */
export async function auditLooks(
  operator: OperatorScope,
  workspacePks: readonly (number | null)[],
  { action = "operator.view", ...what }: Look,
): Promise<void> {
  const entries = [...new Set(workspacePks)].map((workspacePk) =>
    entryOf(operator, { workspacePk, action, ...what }),
  );
  await transaction((tx) => recordAudit(tx, entries));
}

export interface Operation {
  workspacePk: number | null;
  action: OperatorAction;
  subject?: string;
  /** Why: checked by `reasonField`. */
  reason: string;
  details?: Record<string, unknown>;
}

/** Records a change by an administrator, in the transaction of the change. */
export async function recordOperation(
  tx: Connection,
  operator: OperatorScope,
  { reason, details, ...operation }: Operation,
): Promise<void> {
  await recordAudit(tx, [entryOf(operator, { ...operation, details: { reason, ...details } })]);
}

function entryOf(operator: OperatorScope, entry: Omit<AuditEntry, "actor" | "origin">): AuditEntry {
  const { actor, via, origin } = operator;
  const details = via === "dashboard" ? entry.details : { ...entry.details, via };
  return { ...entry, actor, origin, ...(details ? { details } : {}) };
}
