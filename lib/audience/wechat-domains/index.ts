/**
 * The domains that an official account has as JS-secure domains or authorized callback domains, and
 * the files by which WeChat verifies them. A domain has one account of the same workspace. The
 * entry only counts while the domain has the host that it was made for, so renaming or transferring
 * the domain ends it. The redirect serves the file at the root of that host only.
 */
import { getAccount } from "#lib/audience/wechat-accounts";
import { changeBesideDomain } from "#lib/links/domains";
import { foldKey } from "#lib/links/link-cache";
import { AppError } from "#lib/platform/errors";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { reachesDomain } from "#lib/tenancy/reach";
import type { NewWechatDomain, WechatDomain } from "./schema.ts";
import { deleteRow, hasAlias, type ListedRow, listRows, putRow } from "./store.ts";

/** As many as a workspace has domains. */
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
    // Links in memory would be answered before the file.
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
