/** The SQL of what contacts answered and clicked. */
import { type VisibleLinks, visibleConditions } from "#lib/links/visible-links";
import { type Connection, query, SqlValues, sql } from "#lib/platform/postgres";
import type { MarkedVisit } from "./schema.ts";

export interface AnswerRow {
  id: string;
  form_id: string;
  form_name: string;
  form_version: number;
  consent: string;
  at: Date;
  marketing: boolean;
  language: string;
  key_version: number;
  sealed: Buffer;
  link_id: string | null;
  slug: string | null;
  key: string | null;
}

/** The answers of a contact, newest first. Answered by contact_answer_contact. */
export async function listAnswers(
  contactPk: number,
  seen: VisibleLinks,
  limit: number,
): Promise<AnswerRow[]> {
  const { list: values, place } = new SqlValues();
  const linked = [
    "link.pk = given.link_pk",
    "link.workspace_pk = given.workspace_pk",
    ...visibleConditions(seen, place),
  ];
  const text = `
    SELECT given.id, form.id AS form_id, form.name AS form_name, given.form_version,
      form_version.content ->> 'consent' AS consent, given.at, given.marketing, given.language,
      given.key_version, given.sealed, link.id AS link_id, domain.slug, link.key
    FROM contact_answer AS given
    JOIN form ON form.pk = given.form_pk
    JOIN form_version ON form_version.form_pk = given.form_pk
      AND form_version.version = given.form_version
    LEFT JOIN link ON ${linked.join(" AND ")}
    LEFT JOIN domain ON domain.pk = link.domain_pk
    WHERE given.contact_pk = ${place(contactPk, "bigint")}
    ORDER BY given.pk DESC
    LIMIT ${place(limit, "int")}`;
  return await query<AnswerRow>({ text, values });
}

/** The clicks of a contact on links that the actor may see, newest first. Answered by contact_visit_pkey. */
export async function listVisits(
  contactPk: number,
  seen: VisibleLinks,
  limit: number,
): Promise<{ at: Date; link_id: string; slug: string; key: string }[]> {
  const { list: values, place } = new SqlValues();
  const linked = ["link.pk = visit.link_pk", ...visibleConditions(seen, place)];
  const text = `
    SELECT visit.at, link.id AS link_id, domain.slug, link.key
    FROM contact_visit AS visit
    JOIN link ON ${linked.join(" AND ")}
    JOIN domain ON domain.pk = link.domain_pk
    WHERE visit.contact_pk = ${place(contactPk, "bigint")}
    ORDER BY visit.at DESC
    LIMIT ${place(limit, "int")}`;
  return await query({ text, values });
}

/** Adds counted clicks of contacts, in the transaction that counts them. Answered by contact_id_key and contact_alias_pkey. */
export async function insertVisits(tx: Connection, visits: readonly MarkedVisit[]): Promise<void> {
  await query(
    sql`
      INSERT INTO contact_visit (contact_pk, at, click_id, link_pk)
      SELECT contact.pk, visit.at, visit.click_id, visit.link_pk
      FROM unnest(
        ${visits.map(({ contact }) => contact)}::uuid[],
        ${visits.map(({ workspacePk }) => workspacePk)}::int[],
        ${visits.map(({ at }) => at)}::timestamptz[],
        ${visits.map(({ clickId }) => clickId)}::uuid[],
        ${visits.map(({ linkPk }) => linkPk)}::bigint[]
      ) AS visit (id, workspace_pk, at, click_id, link_pk)
      CROSS JOIN LATERAL (
        SELECT pk FROM contact WHERE id = visit.id
        UNION ALL
        SELECT contact_pk FROM contact_alias WHERE id = visit.id
      ) AS known (pk)
      JOIN contact ON contact.pk = known.pk
        AND contact.workspace_pk = visit.workspace_pk
      ON CONFLICT DO NOTHING`,
    tx,
  );
}
