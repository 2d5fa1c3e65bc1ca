import {
  fillPage,
  findVisibleLinks,
  type NamedLink,
  type VisibleLinks,
  visibleConditions,
} from "#lib/links/visible-links";
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

/** Newest first. Answered by contact_answer_contact. */
export async function listAnswers(contactPk: number, seen: VisibleLinks, limit: number) {
  const { list: values, place } = new SqlValues();
  const contact = place(contactPk, "bigint");
  const text = `
    WITH given AS MATERIALIZED (
      SELECT *
      FROM contact_answer
      WHERE contact_pk = ${contact}
      ORDER BY pk DESC
      LIMIT ${place(limit, "int")}
    ), seen AS MATERIALIZED (
      SELECT link.pk, link.id, link.workspace_pk, link.domain_pk, link.key
      FROM link
      WHERE ${["link.pk IN (SELECT link_pk FROM given)", ...visibleConditions(seen, place)].join(" AND ")}
    )
    SELECT given.id, form.id AS form_id, form.name AS form_name, given.form_version,
      form_version.content ->> 'consent' AS consent, given.at, given.marketing, given.language,
      given.key_version, given.sealed, seen.id AS link_id, domain.slug, seen.key
    FROM given
    JOIN form ON form.pk = given.form_pk
    JOIN form_version ON form_version.form_pk = given.form_pk
      AND form_version.version = given.form_version
    LEFT JOIN seen ON seen.pk = given.link_pk
      AND seen.workspace_pk = given.workspace_pk
    LEFT JOIN domain ON domain.pk = seen.domain_pk
    ORDER BY given.pk DESC`;
  return await query<AnswerRow>({ text, values });
}

interface VisitRow {
  at: Date;
  click_id: string;
  link_pk: number;
}

/** The clicks of a contact on links that the actor may see, newest first. */
export async function listVisits(
  { workspacePk, contactPk }: { workspacePk: number; contactPk: number },
  seen: VisibleLinks,
  limit: number,
): Promise<(NamedLink & { at: Date })[]> {
  return await fillPage(
    limit,
    (last: VisitRow | undefined, size) => listClicks(contactPk, last, size),
    async (rows) => {
      const pks = rows.map(({ link_pk }) => link_pk);
      const linkOf = await findVisibleLinks(workspacePk, pks, seen);
      return rows.flatMap(({ at, link_pk }) => {
        const link = linkOf.get(link_pk);
        return link ? [{ at, ...link }] : [];
      });
    },
  );
}

function listClicks(contactPk: number, last: VisitRow | undefined, limit: number) {
  const { list: values, place } = new SqlValues();
  const where = [`contact_pk = ${place(contactPk, "bigint")}`];
  if (last) {
    const position = `(${place(last.at, "timestamptz")}, ${place(last.click_id, "uuid")})`;
    where.push(`(at, click_id) < ${position}`);
  }
  // Answered by contact_visit_pkey.
  const text = `
    SELECT at, click_id, link_pk
    FROM contact_visit
    WHERE ${where.join(" AND ")}
    ORDER BY at DESC, click_id DESC
    LIMIT ${place(limit, "int")}`;
  return query<VisitRow>({ text, values });
}

/** Answered by contact_id_key and contact_alias_pkey. */
export async function insertVisits(tx: Connection, visits: readonly MarkedVisit[]): Promise<void> {
  await tx.query(sql`
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
    ON CONFLICT DO NOTHING`);
}
