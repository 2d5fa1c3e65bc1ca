/**
 * Erases a person: all recipients with their phone, and their links with the stats. Only the hash of
 * a phone that has opted out stays, and a line in a file outside the database (tenancy/erasures), so
 * that the person can be erased again after an older backup is restored.
 */
import { z } from "zod";
import { repeatErasure } from "#lib/analytics/customers";
import { repeatContactErasure, repeatWechatErasure } from "#lib/audience/contacts";
import { presentId } from "#lib/basics/ids";
import { hourMs } from "#lib/basics/time/schema";
import { deleteLinksInBulk } from "#lib/links/editing";
import { targetEntry } from "#lib/links/link-cache";
import { deleteLinks } from "#lib/links/link-rows";
import {
  type ErasedPerson,
  type ErasePerson,
  recipientProblems,
} from "#lib/outreach/campaigns/schema";
import { eraseDemoMessages } from "#lib/outreach/demo-outbox";
import { eraseOptOut } from "#lib/outreach/opt-outs";
import { recordChanges, takeRevision } from "#lib/platform/cache-sync";
import { AppError } from "#lib/platform/errors";
import { parsePhone } from "#lib/platform/phones";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import { type Erasure, noteErasure, removeOldErasures } from "#lib/tenancy/erasures";
import { openPeopleKeys } from "#lib/tenancy/people-keys";

const sweepEveryMs = 6 * hourMs;

/** Links are deleted first, so that a retry after a failure finds the rest. */
export async function erasePerson(
  scope: WorkspaceScope,
  { phone: text, country = "" }: ErasePerson,
): Promise<ErasedPerson> {
  assertMay(scope, "campaigns.write");
  // This erases the phone in all campaigns, even in those of other members, and the counts reveal
  // whether it was there.
  // defence: erasing-needs-people
  assertMay(scope, "people.view");
  const phone = parsePhone(text, country);
  if (!phone) throw new AppError("unprocessable_entity", recipientProblems.phone_invalid);
  const { workspacePk, workspaceId, actor } = scope;
  const hash = (await openPeopleKeys(workspacePk)).hash(phone.number);
  const linkIds = (await findLinks(workspacePk, hash)).map(({ id }) => presentId("link", id));
  const { deleted, left } =
    linkIds.length > 0 ? await deleteLinksInBulk(scope, linkIds, []) : { deleted: 0, left: [] };
  const [kept] = left;
  if (kept && (await findLinks(workspacePk, hash)).length > 0) {
    throw new AppError("forbidden", kept.message);
  }
  const erased = await transaction(async (tx) => {
    const counts = await eraseRows(tx, { workspacePk, workspaceId, hash, actor, links: deleted });
    // Before the commit: otherwise a restore could undo an erasure that was not noted.
    // defence: erasure-noted-outside
    await noteErasure({ workspaceId, phone: hash.toString("hex"), at: new Date().toISOString() });
    return counts;
  });
  return { ...erased, links: deleted };
}

interface PersonErasure {
  workspacePk: number;
  /** Undefined when an erasure from before a restore is repeated. */
  workspaceId?: string;
  hash: Buffer;
  actor: string;
  links: number;
}

async function eraseRows(
  tx: Connection,
  { workspacePk, workspaceId, hash, actor, links }: PersonErasure,
): Promise<Pick<ErasedPerson, "recipients" | "contacts">> {
  const recipients = await deleteRecipients(tx, workspacePk, hash);
  await eraseOptOut(tx, workspacePk, hash);
  // defence: demo-messages-erased
  await eraseDemoMessages(tx, workspacePk, hash);
  const contacts = (await repeatContactErasure(tx, workspacePk, hash, workspaceId)) ? 1 : 0;
  const details = { recipients, contacts, links };
  await recordAudit(tx, [{ workspacePk, actor, action: "person.delete", details }]);
  return { recipients, contacts };
}

interface ErasedAgain {
  recipients: number;
  customers: number;
  contacts: number;
}

/** Erases people and customers again, in a restored database. Safe to run twice. */
export async function replayErasures(erasures: readonly Erasure[]): Promise<ErasedAgain> {
  const again = { recipients: 0, customers: 0, contacts: 0 };
  for (const erasure of erasures) {
    const workspacePk = await findWorkspace(erasure.workspaceId);
    // The workspace was created after the backup.
    if (workspacePk === undefined) continue;
    await eraseOnceMore(workspacePk, erasure, again);
  }
  return again;
}

async function eraseOnceMore(
  workspacePk: number,
  erasure: Erasure,
  again: ErasedAgain,
): Promise<void> {
  if ("customer" in erasure) {
    const hash = Buffer.from(erasure.customer, "hex");
    again.customers += (await repeatErasure(workspacePk, hash)) ? 1 : 0;
  } else if ("contact" in erasure) {
    const hash = Buffer.from(erasure.contact, "hex");
    const isErased = await transaction((tx) => repeatContactErasure(tx, workspacePk, hash));
    again.contacts += isErased ? 1 : 0;
  } else if ("wechat" in erasure) {
    const hash = Buffer.from(erasure.wechat, "hex");
    await transaction((tx) => repeatWechatErasure(tx, workspacePk, hash));
  } else {
    const hash = Buffer.from(erasure.phone, "hex");
    const { recipients, contacts } = await transaction((tx) => eraseAgain(tx, workspacePk, hash));
    again.recipients += recipients;
    again.contacts += contacts;
  }
}

/** Processes have not started yet; they read the deleted links from `cache_change` later. */
async function eraseAgain(tx: Connection, workspacePk: number, hash: Buffer) {
  const found = await findLinks(workspacePk, hash, tx);
  const revision = await takeRevision(tx);
  const pks = found.map(({ pk }) => pk);
  const deleted = pks.length > 0 ? await deleteLinks(tx, pks, { workspacePk }) : [];
  await recordChanges(
    tx,
    deleted.map(({ domain_pk: domainPk, key }) => ({
      entry: targetEntry(domainPk, key),
      revision,
    })),
  );
  return await eraseRows(tx, { workspacePk, hash, actor: "system", links: deleted.length });
}

export const erasingJobs = [
  defineJob({
    name: "erasures.sweep",
    schema: z.object({}),
    handle: () => removeOldErasures(),
    everyMs: sweepEveryMs,
  }),
];

async function findLinks(
  workspacePk: number,
  hash: Buffer,
  tx?: Connection,
): Promise<{ pk: number; id: string }[]> {
  // Answered by campaign_recipient_phone.
  return await query.on(tx).query<{ pk: number; id: string }>(sql`
    SELECT link.pk, link.id
    FROM (
      SELECT link_pk, link_id
      FROM campaign_recipient
      WHERE workspace_pk = ${workspacePk}
        AND phone_hash = ${hash}
    ) AS recipient
    JOIN link
      ON link.pk = recipient.link_pk
      AND link.id = recipient.link_id`);
}

async function deleteRecipients(
  tx: Connection,
  workspacePk: number,
  hash: Buffer,
): Promise<number> {
  // Answered by campaign_recipient_phone.
  const rows = await tx.query<{ campaign_pk: number }>(sql`
    DELETE FROM campaign_recipient
    WHERE workspace_pk = ${workspacePk}
      AND phone_hash = ${hash}
    RETURNING campaign_pk`);
  // A phone is in a campaign only once. Answered by campaign_pkey.
  await tx.query(sql`
    UPDATE campaign
    SET recipients = recipients - 1
    WHERE pk = ANY(${rows.map(({ campaign_pk: pk }) => pk)}::int[])`);
  return rows.length;
}

async function findWorkspace(id: string): Promise<number | undefined> {
  // Answered by workspace_id_key.
  const [row] = await query<{ pk: number }>(sql`SELECT pk FROM workspace WHERE id = ${id}`);
  return row?.pk;
}
