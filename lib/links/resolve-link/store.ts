import { query } from "#lib/platform/postgres";

export interface ExpandedRow {
  id: string;
  domain_pk: number;
  folder_pk: number | null;
  key: string;
  url: string;
  external_id: string | null;
  tenant_id: string | null;
  archived: boolean;
  expires_at: Date | null;
  disabled_at: Date | null;
  created_at: Date;
  key_id: string | null;
  key_name: string | null;
  user_id: string | null;
  user_name: string | null;
}

interface AskedName {
  workspacePk: number;
  domainPk: number;
  key: string;
}

/** `codePk` is the pk that the name encodes, if it is a generated code. */
export async function findByName(asked: AskedName, codePk: number | undefined) {
  const coded = codePk === undefined ? undefined : await findByPk(asked, codePk);
  if (coded) return coded;
  const [chosen] = await query<{ link_pk: number }>({
    name: "expansion-name",
    // Answered by alias_pkey.
    text: `
      SELECT link_pk
      FROM alias
      WHERE domain_pk = $1
        AND key = $2`,
    values: [asked.domainPk, asked.key],
  });
  return chosen && (await findByPk(asked, chosen.link_pk));
}

function findByPk({ workspacePk, domainPk, key }: AskedName, pk: number) {
  return query.one<ExpandedRow>({
    name: "expansion-find",
    // Answered by link_pkey, and for names by primary keys. A root link without a URL has no
    // destination.
    text: `
      SELECT link.id, link.domain_pk, link.folder_pk, link.key, link.url, link.external_id,
        link.tenant_id, link.archived, link.expires_at, link.disabled_at, link.created_at,
        api_key.id AS key_id, api_key.name AS key_name,
        app_user.id AS user_id, app_user.name AS user_name
      FROM link
      LEFT JOIN api_key ON api_key.pk = link.api_key_pk
      LEFT JOIN app_user ON app_user.pk = link.user_pk
      WHERE link.pk = $4
        AND link.workspace_pk = $1
        AND link.domain_pk = $2
        AND link.key = $3
        AND link.url <> ''`,
    values: [workspacePk, domainPk, key, pk],
  });
}
