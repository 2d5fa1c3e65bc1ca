"use client";

import { MessagesSquare } from "lucide-react";
import type { WechatAccount } from "#lib/links/wechat-accounts/schema";
import type { WechatProblem } from "#lib/platform/wechat/schema";
import type { FormAction, FormAnswer } from "../forms/form.tsx";
import { CardManager } from "../named/card-manager.tsx";
import { WechatCard } from "./wechat-card.tsx";
import { WechatForm } from "./wechat-form.tsx";

export interface WechatChanges {
  create: FormAction<null>;
  edit: (id: string, data: FormData) => Promise<FormAnswer<null>>;
  check: (id: string) => Promise<FormAnswer<WechatAccount>>;
  remove: (id: string) => Promise<FormAnswer<null>>;
}

/** A page of a mini program that WeChat refuses. */
export interface RefusedPage {
  appId: string;
  path: string;
  problem: WechatProblem;
}

interface WechatManagerProps {
  accounts: readonly WechatAccount[];
  pages: readonly RefusedPage[];
  /** Null: read-only. */
  change: WechatChanges | null;
}

/** The WeChat accounts of a workspace, with their forms. */
export function WechatManager({ accounts, pages, change }: WechatManagerProps) {
  return (
    <CardManager
      messages="wechat"
      icon={<MessagesSquare aria-hidden />}
      things={accounts}
      card={(account, onDelete) => (
        <WechatCard
          account={account}
          pages={pages.filter(({ appId }) => appId === account.appId)}
          change={change}
          onDelete={onDelete}
        />
      )}
      form={change ? (onDone) => <WechatForm save={change.create} onDone={onDone} /> : null}
      remove={change?.remove}
    />
  );
}
