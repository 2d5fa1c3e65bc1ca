import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { listRefusedPages } from "#lib/links/mini-programs";
import { listWechatAccounts } from "#lib/links/wechat-accounts";
import { WechatManager } from "../../../../../components/wechat/wechat-manager.tsx";
import { requireScope } from "../../../access.ts";
import {
  checkWechatAccountAction,
  createWechatAccountAction,
  deleteWechatAccountAction,
  editWechatAccountAction,
} from "./actions.ts";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("wechat");
  return { title: t("heading") };
}

interface WechatPageProps {
  params: Promise<{ workspace: string }>;
}

export default async function WechatPage({ params }: WechatPageProps) {
  const { workspace } = await params;
  const scope = await requireScope(workspace);
  const [accounts, pages] = await Promise.all([listWechatAccounts(scope), listRefusedPages(scope)]);
  return (
    <WechatManager
      accounts={accounts}
      pages={pages}
      change={
        scope.permissions.has("workspace.write")
          ? {
              create: createWechatAccountAction.bind(null, workspace),
              edit: editWechatAccountAction.bind(null, workspace),
              check: checkWechatAccountAction.bind(null, workspace),
              remove: deleteWechatAccountAction.bind(null, workspace),
            }
          : null
      }
    />
  );
}
