/**
 * The page where recipients opt out. A message has its address as `{optout}`: /optout?t=<id of the
 * recipient, encrypted as one block>. Nothing is stored for an address. Others may know the id of a
 * recipient, because destinations can have it, but only the key of the instance can turn it into an
 * address. A forged address decrypts to a random id that no recipient has. Opening the page changes
 * nothing, because scanners of messages open links too.
 */
import { optOutBySystem } from "#lib/outreach/opt-outs";
import { unsealPerson } from "#lib/outreach/people";
import { config } from "#lib/platform/config";
import { addressSubject, tryLimit } from "#lib/platform/limits";
import { query, sql } from "#lib/platform/postgres";
import { sealBlock, unsealBlock } from "#lib/platform/sealing";
import { openPeopleKeys } from "#lib/tenancy/people-keys";

/** Messages that were sent have these addresses, so the keys of earlier secrets are kept. */
export const optOutPurpose = "opt-out-links";
const tokenPattern = /^[\w-]{22}$/;

export function optOutUrl(recipient: string): string {
  const block = Buffer.from(recipient.replaceAll("-", ""), "hex");
  return `${config().FUXI_URL}/optout?t=${sealBlock(optOutPurpose, block).toString("base64url")}`;
}

/** The UUIDs that a token may mean: one for each secret that the instance has had. */
async function recipientsOf(token: string): Promise<string[]> {
  if (!tokenPattern.test(token)) return [];
  const blocks = await unsealBlock(optOutPurpose, Buffer.from(token, "base64url"));
  return blocks.map((block) =>
    block.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"),
  );
}

interface RecipientRow {
  id: string;
  workspace_pk: number;
  key_version: number;
  sealed: Buffer;
  sender: string | null;
}

async function findRecipient(token: string): Promise<RecipientRow | undefined> {
  const ids = await recipientsOf(token);
  if (ids.length === 0) return undefined;
  // Answered by campaign_recipient_id.
  return await query.one<RecipientRow>(sql`
    SELECT recipient.id, recipient.workspace_pk, recipient.key_version, recipient.sealed,
      campaign.sender_name AS sender
    FROM campaign_recipient AS recipient
    JOIN campaign ON campaign.pk = recipient.campaign_pk
    JOIN workspace ON workspace.pk = recipient.workspace_pk
    WHERE recipient.id = ANY(${ids}::uuid[])
      AND recipient.sealed IS NOT NULL
      AND workspace.deleted_at IS NULL`);
}

/** The sender of the message; undefined if the address is invalid or the recipient was erased. */
export async function findOptOutSender(
  token: string,
): Promise<{ sender: string | null } | undefined> {
  const row = await findRecipient(token);
  return row && { sender: row.sender };
}

export type OptedOut = { ok: true } | { ok: false; retryAfterSeconds: number | undefined };

export async function optOutByLink(token: string, address: string): Promise<OptedOut> {
  const attempt = await tryLimit("optOutPerAddress", addressSubject(address));
  if (!attempt.ok) return { ok: false, retryAfterSeconds: attempt.retryAfterSeconds };
  const row = await findRecipient(token);
  if (!row) return { ok: false, retryAfterSeconds: undefined };
  const { id, workspace_pk: workspacePk, key_version: version, sealed } = row;
  const { phone } = unsealPerson(await openPeopleKeys(workspacePk), { version, sealed }, id);
  await optOutBySystem(workspacePk, [phone], "page");
  return { ok: true };
}
