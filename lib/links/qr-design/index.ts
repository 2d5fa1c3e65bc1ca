/**
 * The design of a link’s QR code as it is stored, and the public URL that shows it:
 *
 *     /api/qr?url=<short link>&design=<id of the link>.<HMAC of id and url, base64url>
 *
 * The image needs no key, because it is embedded in pages and emails. The signature is part of
 * `qrCode`, so only readers of a link can pass its design on. Other URLs have a plain code, whether
 * or not there is a link.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { parseId } from "#lib/basics/ids";
import { config } from "#lib/platform/config";
import { query, sql } from "#lib/platform/postgres";
import { plainDesign, type QrDesign } from "./schema.ts";

/** Uses jsonb’s order of names, so that storing the same design again is no change. Sound because the entries are the same. */
export function storedDesign(design: QrDesign): QrDesign {
  const entries = Object.entries(design).sort(
    ([a], [b]) => a.length - b.length || (a < b ? -1 : 1),
  );
  return Object.fromEntries(entries) as QrDesign;
}

/** Adds fields that did not exist when the design was stored. */
export function presentDesign(stored: QrDesign): QrDesign {
  return { ...plainDesign, ...stored };
}

/** The logos that the workspace has. Answered by qr_logo_id_key. */
export async function findLogos(workspacePk: number, ids: readonly string[]): Promise<Set<string>> {
  const rows = await query<{ id: string }>(
    // defence: qr-logo-of-workspace
    sql`
      SELECT id
      FROM qr_logo
      WHERE id = ANY(${ids}::text[])
        AND workspace_pk = ${workspacePk}`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Removes the logo from the design if the workspace no longer has it. */
export async function withKnownLogo(workspacePk: number, design: QrDesign): Promise<QrDesign> {
  const { logoId } = design;
  if (logoId === null || (await findLogos(workspacePk, [logoId])).has(logoId)) return design;
  return { ...design, logoId: null };
}

/** Proof that the URL was shown to someone who can read the link. */
export function signDesign(linkId: string, url: string): string {
  return `${linkId}.${macOf(linkId, url).toString("base64url")}`;
}

const macBytes = 16;

function macOf(linkId: string, url: string): Buffer {
  const key = createHmac("sha256", config().FUXI_SESSION_SECRET).update("fuxi qr designs").digest();
  return createHmac("sha256", key).update(`${linkId}\n${url}`).digest().subarray(0, macBytes);
}

interface SavedDesign {
  workspacePk: number;
  design: QrDesign;
}

/** Undefined if the signature is wrong or the link has no design anymore. */
export async function findSignedDesign(
  signature: string,
  url: string,
): Promise<SavedDesign | undefined> {
  const [linkId = "", mac = ""] = signature.split(".", 2);
  const uuid = parseId("link", linkId);
  const given = Buffer.from(mac, "base64url");
  if (uuid === undefined || given.length !== macBytes) return undefined;
  // defence: qr-signature
  if (!timingSafeEqual(given, macOf(linkId, url))) return undefined;
  return await findSavedDesign(uuid);
}

async function findSavedDesign(uuid: string): Promise<SavedDesign | undefined> {
  // Answered by link_qr.
  const [row] = await query<{ workspace_pk: number; qr: QrDesign }>(sql`
    SELECT workspace_pk, qr
    FROM link
    WHERE id = ${uuid}
      AND qr IS NOT NULL`);
  return row && { workspacePk: row.workspace_pk, design: presentDesign(row.qr) };
}
