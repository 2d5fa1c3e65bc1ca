"use client";

import { MessagesSquare } from "lucide-react";
import type { FormAction, FormAnswer } from "#components/forms/form";
import { CardManager } from "#components/named/card-manager";
import type { WechatAccount } from "#lib/audience/wechat-accounts/schema";
import type { WechatDomain } from "#lib/audience/wechat-domains/schema";
import type { WechatProblem } from "#lib/platform/wechat/schema";
import type { DomainChanges } from "./account-domains.tsx";
import { WechatCard } from "./wechat-card.tsx";
import { WechatForm } from "./wechat-form.tsx";

export interface WechatChanges {
  create: FormAction<null>;
  edit: (id: string, data: FormData) => Promise<FormAnswer<null>>;
  check: (id: string) => Promise<FormAnswer<WechatAccount>>;
  remove: (id: string) => Promise<FormAnswer<null>>;
}

export interface RefusedPage {
  appId: string;
  path: string;
  problem: WechatProblem;
}

interface WechatManagerProps {
  accounts: readonly WechatAccount[];
  pages: readonly RefusedPage[];
  domains: readonly WechatDomain[];
  change: WechatChanges | null;
  domainChange: DomainChanges | null;
}

export function WechatManager(props: WechatManagerProps) {
  const { accounts, pages, domains, change, domainChange } = props;
  return (
    <CardManager
      messages="wechat"
      icon={<MessagesSquare aria-hidden />}
      things={accounts}
      card={(account, onDelete) => (
        <WechatCard
          account={account}
          pages={pages.filter(({ appId }) => appId === account.appId)}
          domains={domains.filter(({ accountId }) => accountId === account.id)}
          change={change}
          domainChange={domainChange}
          onDelete={onDelete}
        />
      )}
      form={change ? (onDone) => <WechatForm save={change.create} onDone={onDone} /> : null}
      remove={change?.remove}
    />
  );
}
