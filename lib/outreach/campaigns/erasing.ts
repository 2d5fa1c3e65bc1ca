/**
 * Erases a person: all recipients with their phone, and the links of these with their stats. What stays is the hash of a
 * phone that has opted out. Links are deleted first, so that a repetition after a failure finds the rest.
 */
import { deleteLinksInBulk } from "#lib/links/editing";
import { eraseOptOut } from "#lib/outreach/opt-outs";
import { parsePhone } from "#lib/outreach/people";
import { AppError } from "#lib/platform/errors";
import { presentId } from "#lib/platform/ids";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import { openPeopleKeys } from "#lib/tenancy/people-keys";
import { type ErasedPerson, type ErasePerson, recipientProblems } from "./schema.ts";

export async function erasePerson(
  scope: WorkspaceScope,
  { phone: text, country = "" }: ErasePerson,
): Promise<ErasedPerson> {
  assertMay(scope, "campaigns.write");
  const phone = parsePhone(text, country);
  if (!phone) throw new AppError("unprocessable_entity", recipientProblems.phone_invalid);
  const { workspacePk, actor } = scope;
  const hash = (await openPeopleKeys(workspacePk)).hash(phone.number);
  const linkIds = await findLinks(workspacePk, hash);
  const { deleted, left } =
    linkIds.length > 0 ? await deleteLinksInBulk(scope, linkIds, []) : { deleted: 0, left: [] };
  const [kept] = left;
  if (kept && (await findLinks(workspacePk, hash)).length > 0) {
    throw new AppError("forbidden", kept.message);
  }
  const recipients = await transaction(async (tx) => {
    const count = await deleteRecipients(tx, workspacePk, hash);
    await eraseOptOut(tx, workspacePk, hash);
    const details = { recipients: count, links: deleted };
    await recordAudit(tx, [{ workspacePk, actor, action: "person.delete", details }]);
    return count;
  });
  return { recipients, links: deleted };
}

/** The links of a phone that exist. */
async function findLinks(workspacePk: number, hash: Buffer): Promise<string[]> {
  const rows = await query<{ id: string }>(
    // Answered by campaign_recipient_phone.
    sql`
      SELECT link.id
      FROM campaign_recipient AS recipient
      JOIN link
        ON link.pk = recipient.link_pk
        AND link.id = recipient.link_id
      WHERE recipient.workspace_pk = ${workspacePk}
        AND recipient.phone_hash = ${hash}`,
  );
  return rows.map(({ id }) => presentId("link", id));
}

/** Deletes the recipients of a phone, and counts them out of their campaigns. Returns their number. */
async function deleteRecipients(
  tx: Connection,
  workspacePk: number,
  hash: Buffer,
): Promise<number> {
  const rows = await query<{ campaign_pk: number }>(
    // Answered by campaign_recipient_phone.
    sql`
      DELETE FROM campaign_recipient
      WHERE workspace_pk = ${workspacePk}
        AND phone_hash = ${hash}
      RETURNING campaign_pk`,
    tx,
  );
  await query(
    // A phone is once in a campaign. Answered by campaign_pkey.
    sql`
      UPDATE campaign
      SET recipients = recipients - 1
      WHERE pk = ANY(${rows.map(({ campaign_pk: pk }) => pk)}::int[])`,
    tx,
  );
  return rows.length;
}
