/**
 * Sessions that an OpenID provider signed in. They know the person and the session there, whose
 * logout ends them, and keep sealed tokens: to ask the provider from time to time whether the person
 * still has access, and to end the session there too.
 */
import { type CacheChange, recordChanges, takeRevision } from "#lib/platform/cache-sync";
import { type Connection, query, sql } from "#lib/platform/postgres";
import { type SealedColumn, seal, unseal } from "#lib/platform/sealing";
import { recordAudit } from "#lib/tenancy/audit";
import { sessionEntry } from "#lib/tenancy/key-changes";

const purpose = "oidc tokens";
export const oidcColumn: SealedColumn = {
  table: "session",
  column: "oidc_sealed",
  key: ["id"],
  purpose,
  binding: "id",
};

interface Tokens {
  idToken: string | undefined;
  refreshToken: string | undefined;
}

export interface OidcSignIn {
  /** Null: the provider of the instance. */
  providerPk: number | null;
  subject: string;
  sid: string | undefined;
  tokens: Tokens;
}

export interface NewOidcSession {
  /** Null: the provider of the instance. */
  providerPk: number | null;
  subject: string;
  sid: string | null;
  sealed: Buffer;
  /** When the provider is asked again, or the session ends; null: never. */
  checkMinutes: number | null;
}

const checkMinutes = 15;
/** Nobody can ask about a session without a refresh token. A workspace’s provider then signs in once a working day. */
const uncheckedMinutes = 8 * 60;

export function newOidcSession(id: string, signIn: OidcSignIn): NewOidcSession {
  const { providerPk, subject, sid, tokens } = signIn;
  const unchecked = providerPk === null ? null : uncheckedMinutes;
  return {
    providerPk,
    subject,
    sid: sid ?? null,
    sealed: sealTokens(id, tokens),
    // defence: oidc-session-without-refresh-ends
    checkMinutes: tokens.refreshToken === undefined ? unchecked : checkMinutes,
  };
}

function sealTokens(id: string, { idToken, refreshToken }: Tokens): Buffer {
  return seal(purpose, Buffer.from(JSON.stringify([idToken ?? null, refreshToken ?? null])), id);
}

/** None if their secret was lost: the session then ends at its next check, and blocks no other. */
function unsealTokens(id: string, sealed: Buffer): Tokens {
  try {
    const [idToken, refreshToken]: (string | null)[] = JSON.parse(
      unseal(purpose, sealed, id).toString(),
    );
    return { idToken: idToken ?? undefined, refreshToken: refreshToken ?? undefined };
  } catch {
    return { idToken: undefined, refreshToken: undefined };
  }
}

export interface OidcSession extends OidcSignIn {
  id: string;
  userPk: number;
  userId: string;
  seenAt: Date;
}

interface OidcRow {
  id: string;
  userPk: number;
  userId: string;
  providerPk: number | null;
  subject: string;
  sid: string | null;
  sealed: Buffer;
  seenAt: Date;
}

const columns = `
    session.id,
    session.user_pk AS "userPk",
    app_user.id AS "userId",
    session.sso_provider_pk AS "providerPk",
    session.oidc_subject AS subject,
    session.oidc_sid AS sid,
    session.oidc_sealed AS sealed,
    session.oidc_seen_at AS "seenAt"`;

function openRow({ sealed, sid, ...row }: OidcRow): OidcSession {
  return { ...row, sid: sid ?? undefined, tokens: unsealTokens(row.id, sealed) };
}

/** Undefined: the session ended, or no OpenID provider signed in. */
export async function findOidcSession(id: string): Promise<OidcSession | undefined> {
  // Answered by session_pkey and app_user_pkey.
  const text = `
    SELECT ${columns}
    FROM session
    JOIN app_user ON app_user.pk = session.user_pk
    WHERE session.id = $1
      AND session.ended_at IS NULL
      AND session.oidc_sealed IS NOT NULL`;
  const row = await query.one<OidcRow>({ text, values: [id] });
  return row && openRow(row);
}

/**
 * Sessions whose provider is to be asked now. Other workers leave them alone until the next check. One that the
 * provider logged out is asked about one last time.
 */
export async function takeDueOidcSessions(max: number): Promise<OidcSession[]> {
  // Answered by session_oidc_check.
  const text = `
    WITH due AS (
      SELECT id AS due_id
      FROM session
      WHERE oidc_check_at <= now()
      ORDER BY oidc_check_at
      LIMIT $1
      FOR UPDATE SKIP LOCKED
    )
    UPDATE session
    SET oidc_check_at =
      CASE WHEN session.ended_at IS NULL THEN now() + $2 * interval '1 minute' END
    FROM due, app_user
    WHERE session.id = due_id
      AND app_user.pk = session.user_pk
    RETURNING ${columns}`;
  const rows = await query<OidcRow>({ text, values: [max, checkMinutes] });
  return rows.map(openRow);
}

/** The provider confirmed the session. */
export async function keepOidcSession(id: string, tokens: Tokens): Promise<void> {
  // Answered by session_pkey.
  await query(sql`
    UPDATE session
    SET oidc_sealed = ${sealTokens(id, tokens)}, oidc_seen_at = now()
    WHERE id = ${id}`);
}

/** Which sessions a provider means: the one that `sid` names, or all of the person. */
interface Ended {
  providerPk: number | null;
  id?: string;
  sid?: string | undefined;
  subject?: string | undefined;
}

/** Then the provider has also withdrawn the tokens of a person whom it removed. */
const afterLogoutMinutes = 1;

export type EndReason = "logout" | "removed" | "unchecked" | "away";

/** One change per session. Publish them after the commit: every process then refuses the sessions within a second. */
export async function endOidcSessions(
  tx: Connection,
  { providerPk, id, sid, subject }: Ended,
  reason: EndReason,
): Promise<CacheChange[]> {
  // Answered by session_pkey, session_oidc_sid, session_oidc_subject or session_sso_provider_pk_idx.
  const rows = await tx.query<{ id: string; userId: string }>(
    // defence: logout-of-own-provider
    sql`
      UPDATE session
      SET ended_at = now(), factor_due_at = NULL,
        oidc_check_at = CASE WHEN ${reason} = 'logout'
          THEN now() + ${afterLogoutMinutes} * interval '1 minute' END
      FROM app_user
      WHERE session.sso_provider_pk IS NOT DISTINCT FROM ${providerPk}::int
        AND session.oidc_subject IS NOT NULL
        AND (${id ?? null}::text IS NULL OR session.id = ${id ?? null})
        AND (${sid ?? null}::text IS NULL
          OR session.oidc_sid = ${sid ?? null}
          OR (session.oidc_sid IS NULL AND ${subject ?? null}::text IS NOT NULL))
        AND (${subject ?? null}::text IS NULL OR session.oidc_subject = ${subject ?? null})
        AND (session.ended_at IS NULL OR session.factor_due_at IS NOT NULL)
        AND app_user.pk = session.user_pk
      RETURNING session.id, app_user.id AS "userId"`,
  );
  if (rows.length === 0) return [];
  const revision = await takeRevision(tx);
  const changes = rows.map((row) => ({ entry: sessionEntry(row.id), revision }));
  await recordChanges(tx, changes);
  const details = { via: "sso", reason };
  await recordAudit(
    tx,
    rows.map((row) => ({
      workspacePk: null,
      actor: row.userId,
      action: "session.end",
      subject: row.id,
      details,
    })),
  );
  return changes;
}

/** An owner opens a workspace that requires single sign-on, in a session of another kind. */
export async function noteSsoException(
  tx: Connection,
  sessionId: string,
  workspacePk: number,
): Promise<void> {
  // Answered by session_pkey.
  await tx.query(sql`
    UPDATE session
    SET sso_exceptions =
      array_append(array_remove(sso_exceptions, ${workspacePk}::int), ${workspacePk}::int)
    WHERE id = ${sessionId}`);
}
