/** After FUXI_SESSION_SECRET was changed: seals with it again what an earlier one has sealed. */
import { config } from "#lib/platform/config";
import { query } from "#lib/platform/postgres";
import { deriveKey, sealWith, tryUnsealWith } from "./ciphers.ts";

const rowsAtOnce = 500;
const fingerprintDigits = 16;

/** Tells secrets apart without revealing them. */
export function fingerprintOf(secret: string): string {
  return deriveKey(secret, "fingerprint").toString("hex").slice(0, fingerprintDigits);
}

/** A column with sealed values. The room that owns the table declares it. */
export interface SealedColumn {
  table: string;
  column: string;
  /** The columns of the primary key. */
  key: readonly string[];
  purpose: string;
  /** SQL: what a value is bound to. */
  binding: string;
}

/** Whether it is the current secret, and the opened value; undefined: no secret of the settings opens it. */
export function openWithAny(
  purpose: string,
  sealed: Buffer,
  boundTo: string,
): { plain: Buffer; isCurrent: boolean } | undefined {
  const { FUXI_SESSION_SECRET, FUXI_SESSION_SECRET_PREVIOUS } = config();
  for (const secret of [FUXI_SESSION_SECRET, ...FUXI_SESSION_SECRET_PREVIOUS]) {
    const plain = tryUnsealWith(deriveKey(secret, purpose), sealed, boundTo);
    if (plain) return { plain, isCurrent: secret === FUXI_SESSION_SECRET };
  }
  return undefined;
}

export interface Resealed {
  /** Sealed with the current secret before. */
  current: number;
  resealed: number;
  /** No secret of the settings opens them. */
  lost: number;
}

interface SealedRow {
  key: unknown[];
  sealed: Buffer;
  bound: string;
}

/** Seals the values of a column with the current secret. Safe to run twice, and while others write. */
export async function resealColumn(column: SealedColumn): Promise<Resealed> {
  const counts: Resealed = { current: 0, resealed: 0, lost: 0 };
  const secret = config().FUXI_SESSION_SECRET;
  let after: unknown[] | undefined;
  for (;;) {
    const rows = await listRows(column, after);
    for (const row of rows) {
      const opened = openWithAny(column.purpose, row.sealed, row.bound);
      if (!opened) counts.lost += 1;
      else if (opened.isCurrent) counts.current += 1;
      else {
        const again = sealWith(deriveKey(secret, column.purpose), opened.plain, row.bound);
        await replace(column, row, again);
        counts.resealed += 1;
      }
    }
    after = rows.at(-1)?.key;
    if (rows.length < rowsAtOnce) return counts;
  }
}

async function listRows(
  { table, column, key, binding }: SealedColumn,
  after: unknown[] | undefined,
): Promise<SealedRow[]> {
  const names = key.join(", ");
  const places = key.map((_, at) => `$${at + 1}`).join(", ");
  return await query<SealedRow>({
    // Answered by the primary key. The names are those that rooms declare.
    text: `
      SELECT json_build_array(${names}) AS key, ${column} AS sealed, (${binding})::text AS bound
      FROM ${table}
      WHERE ${column} IS NOT NULL
        ${after ? `AND (${names}) > (${places})` : ""}
      ORDER BY ${names}
      LIMIT ${rowsAtOnce}`,
    values: after ?? [],
  });
}

/** Unless it was changed meanwhile: then the current secret has sealed it. */
async function replace(
  { table, column, key }: SealedColumn,
  row: SealedRow,
  again: Buffer,
): Promise<void> {
  const conditions = key.map((name, at) => `AND ${name} = $${at + 3}`).join("\n        ");
  await query({
    // Answered by the primary key.
    text: `
      UPDATE ${table}
      SET ${column} = $1
      WHERE ${column} = $2
        ${conditions}`,
    values: [again, row.sealed, ...row.key],
  });
}
