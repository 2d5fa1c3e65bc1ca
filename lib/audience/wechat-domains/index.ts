/**
 * The JS-secure domains and authorized callback domains of official accounts, and the files by which
 * WeChat verifies them. A domain has one account of the same workspace. The entry only counts while
 * the domain has the host that it was made for, so renaming or transferring the domain ends it. The
 * redirect serves the file at the root of that host only.
 */
import { getAccount } from "#lib/audience/wechat-accounts";
import { changeBesideDomain } from "#lib/links/domains";
import { foldKey } from "#lib/links/link-cache";
import { AppError } from "#lib/platform/errors";
import { type Connection, query, sql } from "#lib/platform/postgres";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { reachesDomain } from "#lib/tenancy/reach";
import type { NewWechatDomain, WechatDomain } from "./schema.ts";

/** The most domains that a workspace can have. */
const listedMax = 1_000;

export async function listWechatDomains(scope: WorkspaceScope): Promise<WechatDomain[]> {
  assertMay(scope, "domains.read");
  const rows = await listRows(scope.workspacePk, listedMax);
  return rows.filter(({ domain_pk: pk }) => reachesDomain(scope, pk)).map(present);
}

function present(row: ListedRow): WechatDomain {
  const {
    slug,
    account_id: accountId,
    app_id: appId,
    file_name: name,
    file_content: content,
    callback,
  } = row;
  const file = name !== null && content !== null ? { name, content } : null;
  return { slug, accountId, appId, file, callback };
}

export async function putWechatDomain(
  scope: WorkspaceScope,
  slug: string,
  { accountId, file, callback }: NewWechatDomain,
): Promise<WechatDomain> {
  assertMay(scope, "domains.write");
  const { workspacePk } = scope;
  return await changeBesideDomain(scope, slug, "wechat-domain.edit", async (tx, domain) => {
    if (domain.verified_at === null) {
      throw new AppError("unprocessable_entity", `${domain.slug} isn’t verified yet.`, {
        problem: "domain_unverified",
      });
    }
    const account = await getAccount(scope, accountId, tx);
    if (account.kind !== "officialAccount") {
      const message = "accountId: Use an official account. This one is a mini program.";
      throw new AppError("unprocessable_entity", message, { problem: "wechat_not_official" });
    }
    // A cached link would be served instead of the file.
    if (file && (await hasAlias(tx, domain.pk, [file.name, foldKey(file.name)]))) {
      const message = `file: ${domain.slug} has a link with this path. Delete it first.`;
      throw new AppError("conflict", message, { problem: "wechat_file_link" });
    }
    const [fileName, fileContent] = [file?.name ?? null, file?.content ?? null];
    const { pk: domainPk, slug: host } = domain;
    await putRow(tx, {
      workspacePk,
      accountPk: account.pk,
      domainPk,
      host,
      fileName,
      fileContent,
      callback,
    });
    return { slug: host, accountId, appId: account.app_id, file, callback };
  });
}

/** Removes a domain from its official account. Its file is no longer served. */
export async function deleteWechatDomain(
  scope: WorkspaceScope,
  slug: string,
): Promise<{ slug: string }> {
  assertMay(scope, "domains.write");
  return await changeBesideDomain(scope, slug, "wechat-domain.delete", async (tx, domain) => {
    if (await deleteRow(tx, scope.workspacePk, domain.pk)) return { slug: domain.slug };
    throw new AppError("not_found", `${domain.slug} has no official account.`);
  });
}

/** Older links may have the path of a file. Answered by alias_pkey. */
async function hasAlias(tx: Connection, domainPk: number, keys: readonly string[]) {
  return await tx.any(
    sql`SELECT FROM alias WHERE domain_pk = ${domainPk} AND key = ANY(${keys}::text[])`,
  );
}

interface PutRow {
  workspacePk: number;
  accountPk: number;
  domainPk: number;
  host: string;
  fileName: string | null;
  fileContent: string | null;
  callback: boolean;
}

/** Replaces the previous entry, even of another workspace. Answered by wechat_domain_domain. */
async function putRow(tx: Connection, row: PutRow): Promise<void> {
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
async function deleteRow(tx: Connection, workspacePk: number, domainPk: number) {
  return await tx.any(sql`
    DELETE FROM wechat_domain
    WHERE domain_pk = ${domainPk}
      AND workspace_pk = ${workspacePk}
    RETURNING pk`);
}

interface ListedRow {
  domain_pk: number;
  slug: string;
  account_id: string;
  app_id: string;
  file_name: string | null;
  file_content: string | null;
  callback: boolean;
}

/** Only while the domain keeps host and workspace. Answered by wechat_domain_workspace. */
function listRows(workspacePk: number, max: number) {
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
