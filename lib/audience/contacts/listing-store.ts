import {
  fillPage,
  findVisiblePk,
  type VisibleLinks,
  visibleConditions,
} from "#lib/links/visible-links";
import { query, SqlValues } from "#lib/platform/postgres";
import { type ContactRow, contactColumns } from "./store.ts";

export interface ContactFilter {
  workspacePk: number;
  id?: string | undefined;
  hash?: Buffer | undefined;
  /** Keyed digests of an openid and a unionid. */
  wechat?: { openid: Buffer; union: Buffer } | undefined;
  formId?: string | undefined;
  linkUuid?: string | undefined;
  marketing?: boolean | undefined;
  /** Contacts who answered in this period. */
  start?: Date | undefined;
  end?: Date | undefined;
  afterPk?: number | undefined;
  limit: number;
}

/** Contacts, newest first, who answered on a link that the actor may see, or on a deleted one. */
export async function findContacts(
  filter: ContactFilter,
  seen: VisibleLinks,
): Promise<ContactRow[]> {
  const { workspacePk, linkUuid, limit } = filter;
  const linkPk =
    linkUuid === undefined ? undefined : await findVisiblePk(workspacePk, linkUuid, seen);
  if (linkUuid !== undefined && linkPk === undefined) return [];
  return await fillPage(
    limit,
    (last: AnsweringRow | undefined, size) =>
      listAnswering({ ...filter, afterPk: last?.pk ?? filter.afterPk, limit: size }, linkPk),
    async (rows) => {
      const answered = rows.flatMap(({ link_pks }) => link_pks);
      const hidden = await findHiddenLinks(workspacePk, answered, seen);
      return rows.flatMap(({ link_pks, ...row }) =>
        link_pks.some((pk) => !hidden.has(pk)) ? [row] : [],
      );
    },
  );
}

type AnsweringRow = ContactRow & { link_pks: number[] };

async function listAnswering(
  filter: ContactFilter,
  linkPk: number | undefined,
): Promise<AnsweringRow[]> {
  const { list: values, place } = new SqlValues();
  const { workspacePk, id, hash, wechat, formId, marketing, start, end, afterPk, limit } = filter;
  const workspace = place(workspacePk, "int");
  const given = [
    "given.contact_pk = contact.pk",
    ...(formId === undefined ? [] : [`form.id = ${place(formId, "text")}`]),
    ...(linkPk === undefined ? [] : [`given.link_pk = ${place(linkPk, "bigint")}`]),
    ...(start === undefined ? [] : [`given.at >= ${place(start, "timestamptz")}`]),
    ...(end === undefined ? [] : [`given.at < ${place(end, "timestamptz")}`]),
  ];
  const where = [
    `contact.workspace_pk = ${workspace}`,
    ...(id === undefined ? [] : [idCondition(place(id, "uuid"), workspace)]),
    ...(wechat === undefined ? [] : [wechatCondition(wechat, workspace, place)]),
    ...(hash === undefined ? [] : [`contact.person_hash = ${place(hash, "bytea")}`]),
    ...(marketing === undefined ? [] : [`contact.marketing = ${place(marketing, "bool")}`]),
    ...(afterPk === undefined ? [] : [`contact.pk < ${place(afterPk, "bigint")}`]),
  ];
  const answers = `
        SELECT DISTINCT given.link_pk
        FROM contact_answer AS given
        JOIN form ON form.pk = given.form_pk
        WHERE ${given.join(" AND ")}`;
  // Answered by contact_list, contact_id_key or contact_person; answers by contact_answer_contact.
  const text = `
    SELECT ${contactColumns}, ARRAY(${answers}
      ) AS link_pks
    FROM contact
    WHERE ${where.join("\n      AND ")}
      AND EXISTS (${answers}
      )
    ORDER BY contact.pk DESC
    LIMIT ${place(limit, "int")}`;
  return await query({ text, values });
}

/** Links among these that exist but are hidden from the actor. */
async function findHiddenLinks(
  workspacePk: number,
  pks: readonly number[],
  seen: VisibleLinks,
): Promise<Set<number>> {
  const { list: values, place } = new SqlValues();
  const visible = visibleConditions(seen, place);
  if (visible.length === 0 || pks.length === 0) return new Set();
  // Answered by link_pkey.
  const text = `
    SELECT link.pk
    FROM link
    WHERE link.pk = ANY(${place(pks, "bigint[]")})
      AND link.workspace_pk = ${place(workspacePk, "int")}
      AND (${visible.join(" AND ")}) IS NOT TRUE`;
  const rows = await query<{ pk: number }>({ text, values });
  return new Set(rows.map(({ pk }) => pk));
}

/** Also finds ids of contacts that were merged. Answered by contact_alias_pkey. */
function idCondition(id: string, workspace: string): string {
  return `contact.pk = (
      SELECT pk FROM contact WHERE contact.id = ${id}
      UNION ALL
      SELECT contact_pk FROM contact_alias WHERE contact_alias.id = ${id} AND workspace_pk = ${workspace}
      LIMIT 1
    )`;
}

/** Answered by contact_wechat_openid and contact_wechat_union. */
function wechatCondition(
  { openid, union }: NonNullable<ContactFilter["wechat"]>,
  workspace: string,
  place: SqlValues["place"],
): string {
  return `contact.pk IN (
      SELECT contact_pk
      FROM contact_wechat
      WHERE workspace_pk = ${workspace}
        AND (openid_hash = ${place(openid, "bytea")} OR union_hash = ${place(union, "bytea")})
    )`;
}
