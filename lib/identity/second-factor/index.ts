/**
 * The second factor: TOTP (RFC 6238, SHA-1, six digits, 30 seconds) and recovery codes.
 *
 *     none ──begin──► being set up (not required) ──confirm──► on ──drop──► none
 *
 * The secret is sealed. A code works once: the row stores the last 30-second step whose code was
 * used, and every check locks the row.
 */
import { hash, randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { type Connection, sql } from "#lib/platform/postgres";
import { prisma } from "#lib/platform/prisma";
import { type SealedColumn, seal, unseal } from "#lib/platform/sealing";

export { dropUndos, findUndo, keepFactor, restoreFactor, undoDays } from "./undo.ts";

export const recoveryCodes = 10;
const recoveryBytes = 10;
const secretBytes = 20;
const digits = 6;
const periodSeconds = 30;
/** One code to either side is accepted, because clocks differ. */
const stepsTolerance = 1;
const purpose = "second factor";
export const factorColumn: SealedColumn = {
  table: "app_user",
  column: "factor_secret",
  key: ["pk"],
  purpose,
  binding: "''",
};
/** Earlier factors, sealed the same way. */
export const factorUndoColumn: SealedColumn = {
  ...factorColumn,
  table: "factor_undo",
  column: "secret",
  key: ["hash"],
};

interface FactorRow {
  email: string;
  secret: Buffer | null;
  since: Date | null;
  step: number | null;
}

async function lockFactor(tx: Connection, userPk: number): Promise<FactorRow | undefined> {
  return await tx.one<FactorRow>(sql`
    SELECT email, factor_secret AS secret, factor_since AS since, factor_step AS step
    FROM app_user
    WHERE pk = ${userPk}
    FOR NO KEY UPDATE`);
}

/** A factor of an unproven account may be a stranger’s, and must not lock the owner out. */
export async function hasFactor(userPk: number): Promise<boolean> {
  const row = await prisma().user.findUnique({
    where: { pk: userPk },
    select: { factorSince: true, emailProvenAt: true },
  });
  return row?.factorSince != null && row.emailProvenAt !== null;
}

export async function beginFactor(
  tx: Connection,
  userPk: number,
): Promise<{ secret: string; address: string } | undefined> {
  const secret = new Secret({ size: secretBytes });
  const row = await lockFactor(tx, userPk);
  if (!row || row.since) return undefined;
  await tx.query(sql`
    UPDATE app_user
    SET factor_secret = ${seal(purpose, Buffer.from(secret.bytes))}, factor_step = NULL
    WHERE pk = ${userPk}`);
  const totp = generator(secret, row.email);
  return { secret: secret.base32, address: totp.toString() };
}

export async function confirmFactor(
  tx: Connection,
  userPk: number,
  code: string,
  now = Date.now(),
): Promise<string[] | undefined> {
  const row = await lockFactor(tx, userPk);
  if (!row?.secret || row.since) return undefined;
  const step = stepOf(row, code, now);
  if (step === undefined) return undefined;
  await tx.query(sql`
    UPDATE app_user
    SET factor_since = ${new Date(now)}, factor_step = ${step}
    WHERE pk = ${userPk}`);
  return await renewRecoveryCodes(tx, userPk);
}

/** True for an unused code, or for a recovery code, which this uses up. */
export async function checkFactor(
  tx: Connection,
  userPk: number,
  code: string,
  now = Date.now(),
): Promise<boolean> {
  const row = await lockFactor(tx, userPk);
  if (!row?.secret || !row.since) return false;
  const step = stepOf(row, code, now);
  if (step === undefined) return await redeemRecoveryCode(tx, userPk, code);
  await tx.query(sql`UPDATE app_user SET factor_step = ${step} WHERE pk = ${userPk}`);
  return true;
}

export async function dropFactor(tx: Connection, userPk: number): Promise<void> {
  await tx.query(sql`
    UPDATE app_user
    SET factor_secret = NULL, factor_since = NULL, factor_step = NULL
    WHERE pk = ${userPk}`);
  await tx.query(sql`DELETE FROM recovery_code WHERE user_pk = ${userPk}`);
}

export async function renewRecoveryCodes(tx: Connection, userPk: number): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, () =>
    new Secret({ buffer: Uint8Array.from(randomBytes(recoveryBytes)).buffer }).base32
      .toLowerCase()
      .replace(/(.{4})(?=.)/g, "$1-"),
  );
  await tx.query(sql`DELETE FROM recovery_code WHERE user_pk = ${userPk}`);
  await tx.query(sql`
    INSERT INTO recovery_code (user_pk, hash)
    SELECT ${userPk}, unnest(${codes.map(hashCode)}::bytea[])`);
  return codes;
}

async function redeemRecoveryCode(tx: Connection, userPk: number, code: string): Promise<boolean> {
  // Uses recovery_code_pkey.
  return await tx.any(sql`
    DELETE FROM recovery_code
    WHERE user_pk = ${userPk}
      AND hash = ${hashCode(code)}
    RETURNING hash`);
}

/** Ignores hyphens, spaces and case. */
function hashCode(code: string): Buffer {
  return hash("sha256", code.toLowerCase().replace(/[\s-]/g, ""), "buffer");
}

function generator(secret: Secret, label: string): TOTP {
  return new TOTP({ issuer: "Fuxi", label, secret, digits, period: periodSeconds });
}

/** Undefined for a wrong code, or one that is not newer than the last. */
function stepOf(row: FactorRow, code: string, now: number): number | undefined {
  const token = code.replace(/\s/g, "");
  if (!row.secret || !/^\d{6}$/.test(token)) return undefined;
  const secret = new Secret({ buffer: Uint8Array.from(unseal(purpose, row.secret)).buffer });
  const window = stepsTolerance;
  const delta = generator(secret, row.email).validate({ token, timestamp: now, window });
  if (delta === null) return undefined;
  const step = Math.floor(now / 1_000 / periodSeconds) + delta;
  // defence: factor-code-once
  return step > (row.step ?? 0) ? step : undefined;
}
