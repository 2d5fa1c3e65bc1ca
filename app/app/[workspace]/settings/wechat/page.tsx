import { WechatManager } from "#components/wechat/wechat-manager";
import { listRefusedPages } from "#lib/audience/mini-programs";
import { listWechatAccounts } from "#lib/audience/wechat-accounts";
import { listWechatDomains } from "#lib/audience/wechat-domains";
import { listOwnDomains } from "#lib/links/domains";
import { listDomainsQuery } from "#lib/links/domains/schema";
import { type PageOf, Texts, titleOf } from "../../../../pages.tsx";
import { requireScope } from "../../../access.ts";
import * as actions from "./actions.ts";

const hostsMax = 100;

export const generateMetadata = titleOf("wechat.heading");

export default async function WechatPage({ params }: PageOf<"workspace">) {
  const { workspace } = await params;
  const scope = await requireScope(workspace);
  const [accounts, pages, domains, own] = await Promise.all([
    listWechatAccounts(scope),
    listRefusedPages(scope),
    listWechatDomains(scope),
    listOwnDomains(scope, listDomainsQuery.parse({ pageSize: hostsMax })),
  ]);
  const hosts = own.filter(({ verified }) => verified).map(({ slug }) => slug);
  return (
    <Texts of={["wechat"]}>
      <WechatManager
        accounts={accounts}
        pages={pages}
        domains={domains}
        domainChange={
          scope.permissions.has("domains.write")
            ? {
                put: actions.putWechatDomainAction.bind(null, workspace),
                remove: actions.deleteWechatDomainAction.bind(null, workspace),
                hosts,
              }
            : null
        }
        change={
          scope.permissions.has("workspace.write")
            ? {
                create: actions.createWechatAccountAction.bind(null, workspace),
                edit: actions.editWechatAccountAction.bind(null, workspace),
                check: actions.checkWechatAccountAction.bind(null, workspace),
                remove: actions.deleteWechatAccountAction.bind(null, workspace),
              }
            : null
        }
      />
    </Texts>
  );
}
