/** After a change of FUXI_SESSION_SECRET, reseals what an earlier secret has sealed. */
import { config } from "#lib/platform/config";
import { query, sql } from "#lib/platform/postgres";
import { deriveKey, sealWith, tryUnsealWith } from "./ciphers.ts";

const rowsAtOnce = 500;
const fingerprintDigits = 16;

export function fingerprintOf(secret: string): string {
  return deriveKey(secret, "fingerprint").toString("hex").slice(0, fingerprintDigits);
}

/** A column with sealed values, declared by the room of its table. */
export interface SealedColumn {
  table: string;
  column: string;
  key: readonly string[];
  purpose: string;
  binding: string;
}

function openWithAny(
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
  current: number;
  resealed: number;
  lost: number;
}

interface SealedRow {
  key: unknown[];
  sealed: Buffer;
  bound: string;
}

/** Safe to run twice, and while others write. */
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
    // Uses the primary key. Rooms declare the names.
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

/** A value that changed meanwhile is sealed with the current secret already. */
async function replace(
  { table, column, key }: SealedColumn,
  row: SealedRow,
  again: Buffer,
): Promise<void> {
  const conditions = key.map((name, at) => `AND ${name} = $${at + 3}`).join("\n        ");
  await query({
    // Uses the primary key.
    text: `
      UPDATE ${table}
      SET ${column} = $1
      WHERE ${column} = $2
        ${conditions}`,
    values: [again, row.sealed, ...row.key],
  });
}

const sealPurpose = "former-keys";

export const formerKeyColumn: SealedColumn = {
  table: "former_key",
  column: "sealed",
  key: ["pk"],
  purpose: sealPurpose,
  binding: "purpose",
};

export async function listFormerKeys(purpose: string): Promise<Buffer[]> {
  const rows = await query<{ sealed: Buffer }>(sql`
    SELECT sealed
    FROM former_key
    WHERE purpose = ${purpose}
    ORDER BY pk DESC`);
  return rows.flatMap(({ sealed }) => openWithAny(sealPurpose, sealed, purpose)?.plain ?? []);
}

export async function keepFormerKeys(purpose: string): Promise<void> {
  const { FUXI_SESSION_SECRET, FUXI_SESSION_SECRET_PREVIOUS } = config();
  const known = await listFormerKeys(purpose);
  for (const secret of FUXI_SESSION_SECRET_PREVIOUS) {
    const key = deriveKey(secret, purpose);
    if (known.some((one) => one.equals(key))) continue;
    const sealed = sealWith(deriveKey(FUXI_SESSION_SECRET, sealPurpose), key, purpose);
    await query(sql`INSERT INTO former_key (purpose, sealed) VALUES (${purpose}, ${sealed})`);
  }
}
