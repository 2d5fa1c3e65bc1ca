import { type Connection, query, sql } from "#lib/platform/postgres";

/** Older links may have the path of a file. Answered by alias_pkey. */
export async function hasAlias(tx: Connection, domainPk: number, keys: readonly string[]) {
  return await tx.any(
    sql`SELECT FROM alias WHERE domain_pk = ${domainPk} AND key = ANY(${keys}::text[])`,
  );
}

export interface PutRow {
  workspacePk: number;
  accountPk: number;
  domainPk: number;
  host: string;
  fileName: string | null;
  fileContent: string | null;
  callback: boolean;
}

/** Replaces the previous entry, even of another workspace. Answered by wechat_domain_domain. */
export async function putRow(tx: Connection, row: PutRow): Promise<void> {
  const { workspacePk, accountPk, domainPk, host, fileName, fileContent, callback } = row;
  await tx.query(sql`
    INSERT INTO wechat_domain (
      workspace_pk, account_pk, domain_pk, host, file_name, file_content, callback
    )
    VALUES (
      ${workspacePk}, ${accountPk}, ${domainPk}, ${host}, ${fileName}, ${fileContent}, ${callback}
    )
    ON CONFLICT (domain_pk) DO UPDATE
    SET workspace_pk = excluded.workspace_pk,
      account_pk = excluded.account_pk,
      host = excluded.host,
      file_name = excluded.file_name,
      file_content = excluded.file_content,
      callback = excluded.callback`);
}

/** Answered by wechat_domain_domain. */
export async function deleteRow(tx: Connection, workspacePk: number, domainPk: number) {
  return await tx.any(sql`
    DELETE FROM wechat_domain
    WHERE domain_pk = ${domainPk}
      AND workspace_pk = ${workspacePk}
    RETURNING pk`);
}

export interface ListedRow {
  domain_pk: number;
  slug: string;
  account_id: string;
  app_id: string;
  file_name: string | null;
  file_content: string | null;
  callback: boolean;
}

/** Only while the domain keeps host and workspace. Answered by wechat_domain_workspace. */
export function listRows(workspacePk: number, max: number) {
  // defence: wechat-domains-of-workspace
  return query<ListedRow>(sql`
    SELECT domain.pk AS domain_pk, domain.slug, account.id AS account_id, account.app_id,
      wechat_domain.file_name, wechat_domain.file_content, wechat_domain.callback
    FROM wechat_domain
    JOIN domain
      ON domain.pk = wechat_domain.domain_pk
      AND domain.slug = wechat_domain.host
      AND domain.workspace_pk = wechat_domain.workspace_pk
    JOIN wechat_account AS account ON account.pk = wechat_domain.account_pk
    WHERE wechat_domain.workspace_pk = ${workspacePk}
    ORDER BY domain.slug
    LIMIT ${max}`);
}
