/** Every query has the workspace in its WHERE clause, or the pk of a row that was found by it. */
import { type Connection, query, sql } from "#lib/platform/postgres";

export interface ContactRow {
  pk: number;
  id: string;
  key_version: number;
  sealed: Buffer;
  country: string | null;
  marketing: boolean;
  answers: number;
  phone_confirmed: boolean;
  created_at: Date;
  answered_at: Date;
}

export const contactColumns = `contact.pk, contact.id, contact.key_version, contact.sealed, contact.country,
  contact.marketing, contact.answers, contact.phone_confirmed, contact.created_at, contact.answered_at`;

export interface NewContact {
  id: string;
  workspacePk: number;
  hash: Buffer;
  version: number;
  sealed: Buffer;
  country: string | null;
  now: Date;
}

/** Does nothing if the person is known. */
export async function insertContact(tx: Connection, contact: NewContact): Promise<void> {
  const { id, workspacePk, hash, version, sealed, country, now } = contact;
  await tx.query(sql`
    INSERT INTO contact (
      id, workspace_pk, person_hash, key_version, sealed, country, marketing, created_at, answered_at
    )
    VALUES (${id}, ${workspacePk}, ${hash}, ${version}, ${sealed}, ${country}, false, ${now}, ${now})
    ON CONFLICT (workspace_pk, person_hash) DO NOTHING`);
}

const lockText = (column: "pk" | "person_hash") => `
  SELECT ${contactColumns}
  FROM contact
  WHERE workspace_pk = $1
    AND ${column} = $2
  FOR UPDATE`;

/** Locked until the commit. Answered by contact_pkey. */
export function lockByPk(tx: Connection, workspacePk: number, pk: number) {
  return tx.one<ContactRow>({ text: lockText("pk"), values: [workspacePk, pk] });
}

interface MergedContact {
  kept: ContactRow;
  ended: ContactRow;
  version: number;
  sealed: Buffer;
}

/** Merges two contacts. The later answer decides about marketing. Answered by contact_pkey. */
export async function mergeContact(
  tx: Connection,
  { kept, ended, version, sealed }: MergedContact,
): Promise<void> {
  const isLater = ended.answered_at > kept.answered_at;
  await tx.query(sql`
    UPDATE contact
    SET key_version = ${version},
      sealed = ${sealed},
      country = coalesce(country, ${ended.country}),
      marketing = ${isLater ? ended.marketing : kept.marketing},
      answers = answers + ${ended.answers},
      created_at = least(created_at, ${ended.created_at}),
      answered_at = greatest(answered_at, ${ended.answered_at})
    WHERE pk = ${kept.pk}`);
}

/** Locked until the commit. Answered by contact_person. */
export function lockByHash(tx: Connection, workspacePk: number, hash: Buffer) {
  return tx.one<ContactRow>({ text: lockText("person_hash"), values: [workspacePk, hash] });
}

interface ChangedContact {
  pk: number;
  version: number;
  sealed: Buffer;
  country: string | null;
  marketing: boolean;
  phoneConfirmed: boolean;
  now: Date;
}

/** A confirmed phone stays confirmed, because it identifies the contact. */
export async function updateContact(tx: Connection, contact: ChangedContact): Promise<void> {
  const { pk, version, sealed, country, marketing, phoneConfirmed, now } = contact;
  // Answered by contact_pkey.
  await tx.query(sql`
    UPDATE contact
    SET key_version = ${version},
      sealed = ${sealed},
      country = ${country},
      marketing = ${marketing},
      phone_confirmed = phone_confirmed OR ${phoneConfirmed},
      answers = answers + 1,
      answered_at = ${now}
    WHERE pk = ${pk}`);
}

export interface NewAnswer {
  id: string;
  workspacePk: number;
  contactPk: number;
  formPk: number;
  formVersion: number;
  linkPk: number;
  now: Date;
  marketing: boolean;
  language: string;
  version: number;
  sealed: Buffer;
  isLead: boolean;
}

/** A lead is counted once per contact and link. Answered by contact_answer_contact. */
export async function insertAnswer(tx: Connection, answer: NewAnswer): Promise<void> {
  const { id, workspacePk, contactPk, formPk, formVersion, linkPk, now } = answer;
  const { marketing, language, version, sealed, isLead } = answer;
  await tx.query(sql`
    INSERT INTO contact_answer (
      id, workspace_pk, contact_pk, form_pk, form_version, link_pk, at, marketing, language, key_version, sealed,
      lead_due
    )
    SELECT
      ${id}, ${workspacePk}, ${contactPk}, ${formPk}, ${formVersion}, ${linkPk}, ${now}, ${marketing}, ${language},
      ${version}, ${sealed},
      ${isLead}::bool AND NOT EXISTS (
        SELECT
        FROM contact_answer
        WHERE contact_pk = ${contactPk}
          AND link_pk = ${linkPk}
      )`);
}

/** Also finds contacts by their former ids. Answered by contact_id_key and contact_alias_pkey. */
export async function findFacts(
  workspacePk: number,
  ids: readonly string[],
): Promise<(Pick<ContactRow, "pk" | "id" | "key_version" | "sealed"> & { asked: string })[]> {
  return await query(sql`
    SELECT contact.pk, contact.id, contact.key_version, contact.sealed, asked.id AS asked
    FROM unnest(${ids}::uuid[]) AS asked (id)
    CROSS JOIN LATERAL (
      SELECT pk FROM contact WHERE id = asked.id
      UNION ALL
      SELECT contact_pk FROM contact_alias WHERE id = asked.id
    ) AS known (pk)
    JOIN contact ON contact.pk = known.pk
      AND contact.workspace_pk = ${workspacePk}`);
}

/** Answered by contact_id_key. */
export async function findContactPk(tx: Connection, workspacePk: number, id: string) {
  const [row] = await tx.query<{ pk: number }>(
    sql`SELECT pk FROM contact WHERE id = ${id} AND workspace_pk = ${workspacePk}`,
  );
  return row?.pk;
}

/** The current id of a possibly merged contact. Answered by contact_id_key, contact_alias_pkey. */
export async function findContactId(tx: Connection, workspacePk: number, id: string) {
  const [row] = await tx.query<{ id: string }>(sql`
    SELECT contact.id
    FROM contact
    WHERE contact.workspace_pk = ${workspacePk}
      AND contact.pk = (
        SELECT pk FROM contact WHERE contact.id = ${id}
        UNION ALL
        SELECT contact_pk FROM contact_alias WHERE contact_alias.id = ${id}
        LIMIT 1
      )`);
  return row?.id;
}

/** Contacts whose last answer is past the retention period of their workspace. */
export async function listOverdue(
  now: Date,
  limit: number,
): Promise<{ workspace_pk: number; workspace_id: string; id: string }[]> {
  // Answered by workspace_contact_days, and by contact_answered in each of its workspaces.
  return await query(sql`
    SELECT contact.workspace_pk, workspace.id AS workspace_id, contact.id
    FROM workspace
    JOIN contact ON contact.workspace_pk = workspace.pk
      AND contact.answered_at < ${now}::timestamptz - workspace.contact_days * interval '1 day'
    WHERE workspace.contact_days IS NOT NULL
    LIMIT ${limit}`);
}

/** Deletes a contact with answers and clicks. Returns the digest of the person. */
export async function deleteContact(
  tx: Connection,
  { workspacePk, id }: { workspacePk: number; id: string },
): Promise<Buffer | undefined> {
  // Answered by contact_id_key, and by the foreign keys.
  const [row] = await tx.query<{ person_hash: Buffer }>(sql`
    DELETE FROM contact
    WHERE id = ${id}
      AND workspace_pk = ${workspacePk}
    RETURNING person_hash`);
  return row?.person_hash;
}
