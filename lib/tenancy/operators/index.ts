/**
 * An `OperatorScope` proves that the caller is an administrator: a person with `operator` whose
 * session has passed the second factor or a passkey, a script with FUXI_ADMIN_TOKEN, or the command line.
 * Everything that they read or change in a workspace is in its audit log.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { config } from "#lib/platform/config";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { type AuditEntry, type RequestOrigin, recordAudit } from "#lib/tenancy/audit";

declare const operatorBrand: unique symbol;

export interface OperatorScope {
  readonly [operatorBrand]: true;
  /** `user_…`, or `system` for scripts and the command line. */
  readonly actor: string;
  readonly userPk: number | null;
  readonly via: "dashboard" | "token" | "cli";
  readonly origin: RequestOrigin;
}

export const officeFactorHours = 12;
export const officeIdleMinutes = 30;

export type OperatorAccess =
  | { ok: true; operator: OperatorScope }
  /** `hidden`: no back office; `factor_missing`: no second factor; `factor_due`: it was not passed recently. */
  | { ok: false; code: "hidden" | "factor_missing" | "factor_due" };

/** The session itself must have passed the second factor. */
export async function openOperator(
  user: { pk: number; sessionId: string },
  origin: RequestOrigin,
): Promise<OperatorAccess> {
  // Not cached, so that changes apply at once. Uses session_pkey and app_user_pkey.
  const [row] = await query<{ id: string; factor: boolean; passed: boolean }>(
    // defence: operators-only
    // defence: office-factor-age
    // defence: office-idle-end
    // defence: office-not-by-sso
    sql`
      WITH found AS (
        SELECT
          app_user.id,
          app_user.factor_since IS NOT NULL OR session.passkey_at IS NOT NULL AS factor,
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
          AND session.sso_provider_pk IS NULL
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

/** Undefined: not FUXI_ADMIN_TOKEN. */
export function operatorOfToken(token: string, origin: RequestOrigin): OperatorScope | undefined {
  const expected = config().FUXI_ADMIN_TOKEN;
  if (expected === undefined || !timingSafeEqual(digest(token), digest(expected))) return undefined;
  return operatorScope({ actor: "system", userPk: null, via: "token", origin });
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Needs no proof, because people who can run commands on the server can read the database anyway. */
export function operatorOfCommandLine(): OperatorScope {
  const origin = { address: "", agent: "cli" };
  return operatorScope({ actor: "system", userPk: null, via: "cli", origin });
}

/** The only cast to the brand: the callers above have proved it. */
function operatorScope(scope: Omit<OperatorScope, typeof operatorBrand>): OperatorScope {
  return Object.freeze(scope) as OperatorScope;
}

type OperatorAction = Extract<AuditEntry["action"], `operator.${string}`>;

export interface Look {
  action?: OperatorAction;
  subject?: string;
  details?: Record<string, unknown>;
}

export async function auditLook(
  operator: OperatorScope,
  workspacePk: number | null,
  what: Look,
): Promise<void> {
  await auditLooks(operator, [workspacePk], what);
}

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
  reason: string;
  details?: Record<string, unknown>;
}

/** Call this in the transaction of the change. */
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
