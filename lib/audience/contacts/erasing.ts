/** Erases contacts: for members, for the contacts themselves, and after a restored backup. */
import { z } from "zod";
import { forgetPhoneCodes } from "#lib/audience/phone-codes";
import { presentId } from "#lib/basics/ids";
import { type Connection, sql, transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import { noteErasure } from "#lib/tenancy/erasures";
import { addEvent } from "#lib/tenancy/webhook-events";
import { getContactRow } from "./reading.ts";
import { deleteContact, findContactId, findContactPk, listOverdue, lockByHash } from "./store.ts";
import { deleteUser, listTraces } from "./wechat-store.ts";

/** Erases what is known about a person, the answers and the clicks. Leads stay counted. */
export async function eraseContact(scope: WorkspaceScope, id: string): Promise<{ id: string }> {
  assertMay(scope, "people.view");
  assertMay(scope, "conversions.write");
  const row = await getContactRow(scope, id);
  const { workspacePk, workspaceId, actor } = scope;
  await transaction((tx) => erase(tx, { workspacePk, workspaceId, actor, uuid: row.id }));
  return { id: presentId("con", row.id) };
}

interface ContactErasure {
  workspacePk: number;
  workspaceId: string;
  actor: string;
  uuid: string;
}

async function erase(tx: Connection, { workspacePk, workspaceId, actor, uuid }: ContactErasure) {
  const traces = await tracesOf(tx, workspacePk, uuid);
  const hash = await deleteContact(tx, { workspacePk, id: uuid });
  if (!hash) return false;
  await forgetPhoneCodes(tx, workspacePk, hash);
  const subject = presentId("con", uuid);
  await recordAudit(tx, [{ workspacePk, actor, action: "contact.erase", subject }]);
  await addEvent(tx, { workspacePk, type: "contact.erased", data: { contact: { id: subject } } });
  // Before the commit: restoring a backup would undo an erasure that was not noted.
  await noteTraces(workspaceId, { ...traces, contact: hash });
  return true;
}

/** Digests that may identify the person in an older backup. */
interface ErasedTraces {
  contact: Buffer;
  /** Digests of contacts that turned out to be this one. */
  aliases: Buffer[];
  openids: Buffer[];
}

async function tracesOf(
  tx: Connection,
  workspacePk: number,
  uuid: string,
): Promise<Omit<ErasedTraces, "contact">> {
  const pk = await findContactPk(tx, workspacePk, uuid);
  return pk === undefined ? { aliases: [], openids: [] } : await listTraces(tx, pk);
}

async function noteTraces(workspaceId: string, { contact, aliases, openids }: ErasedTraces) {
  const at = new Date().toISOString();
  for (const hash of [contact, ...aliases]) {
    await noteErasure({ workspaceId, contact: hash.toString("hex"), at });
  }
  for (const hash of openids) await noteErasure({ workspaceId, wechat: hash.toString("hex"), at });
}

/** Erases a contact who withdraws their consent. False: the contact no longer exists. */
export async function withdrawContact(workspacePk: number, uuid: string): Promise<boolean> {
  return await transaction(async (tx) => {
    // Answered by workspace_pkey.
    const [workspace] = await tx.query<{ id: string }>(
      sql`SELECT id FROM workspace WHERE pk = ${workspacePk}`,
    );
    if (!workspace) return false;
    // defence: merged-contact-withdraws
    const known = await findContactId(tx, workspacePk, uuid);
    if (known === undefined) return false;
    const actor = presentId("con", known);
    return await erase(tx, { workspacePk, workspaceId: workspace.id, actor, uuid: known });
  });
}

/** Erases the contact with this digest as part of a larger erasure. False: there is no such contact. */
export async function repeatContactErasure(
  tx: Connection,
  workspacePk: number,
  hash: Buffer,
  /** Id of the workspace. Given if this erasure is new, so that it notes other digests of the person. */
  notedFor?: string,
): Promise<boolean> {
  // defence: erasing-drops-phone-codes
  await forgetPhoneCodes(tx, workspacePk, hash);
  const row = await lockByHash(tx, workspacePk, hash);
  if (!row) return false;
  const traces = { ...(await listTraces(tx, row.pk)), contact: hash };
  await deleteContact(tx, { workspacePk, id: row.id });
  const subject = presentId("con", row.id);
  await recordAudit(tx, [{ workspacePk, actor: "system", action: "contact.erase", subject }]);
  if (notedFor !== undefined) await noteTraces(notedFor, traces);
  return true;
}

/** In a restored backup, the openid may belong to another contact. */
export async function repeatWechatErasure(
  tx: Connection,
  workspacePk: number,
  openidHash: Buffer,
): Promise<boolean> {
  return (await deleteUser(tx, workspacePk, openidHash)) !== undefined;
}

const tendEveryMs = 600_000;
const overdueAtOnce = 500;

/** Erases contacts past the retention period of their workspace. Returns their number. */
async function eraseOverdue(now = new Date()): Promise<number> {
  let erased = 0;
  for (;;) {
    const overdue = await listOverdue(now, overdueAtOnce);
    for (const { workspace_pk: workspacePk, workspace_id: workspaceId, id: uuid } of overdue) {
      const contact = { workspacePk, workspaceId, actor: "system", uuid };
      if (await transaction((tx) => erase(tx, contact))) erased += 1;
    }
    if (overdue.length < overdueAtOnce) return erased;
  }
}

export const contactJobs = [
  defineJob({
    name: "contacts.tend",
    schema: z.object({}),
    everyMs: tendEveryMs,
    handle: () => eraseOverdue(),
  }),
];
