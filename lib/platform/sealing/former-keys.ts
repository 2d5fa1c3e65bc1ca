/**
 * Keys of earlier secrets for blocks outside of the database, which cannot be sealed again: addresses in messages that
 * were sent. Each is the key of one purpose, and sealed like every other secret; the secret itself is not stored.
 */
import { config } from "#lib/platform/config";
import { query, sql } from "#lib/platform/postgres";
import { deriveKey, sealWith } from "./ciphers.ts";
import { openWithAny, type SealedColumn } from "./resealing.ts";

const sealPurpose = "former-keys";

export const formerKeyColumn: SealedColumn = {
  table: "former_key",
  column: "sealed",
  key: ["pk"],
  purpose: sealPurpose,
  binding: "purpose",
};

export async function listFormerKeys(purpose: string): Promise<Buffer[]> {
  // One row for each rotation.
  const rows = await query<{ sealed: Buffer }>(sql`
    SELECT sealed
    FROM former_key
    WHERE purpose = ${purpose}
    ORDER BY pk DESC`);
  return rows.flatMap(({ sealed }) => openWithAny(sealPurpose, sealed, purpose)?.plain ?? []);
}

/** Stores the keys of the earlier secrets in the settings. Safe to run twice. */
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
