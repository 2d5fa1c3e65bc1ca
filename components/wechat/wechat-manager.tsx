"use client";

import { MessagesSquare, Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { WechatAccount } from "#lib/links/wechat-accounts/schema";
import type { WechatProblem } from "#lib/platform/wechat/schema";
import type { FormAction, FormAnswer } from "../forms/form.tsx";
import { useRemoval } from "../forms/removal.ts";
import { PageHead } from "../shell/page-head.tsx";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Dialog, DialogContent, DialogTrigger } from "../ui/dialog.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { toast } from "../ui/toast.tsx";
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
  const t = useTranslations("wechat");
  const { shown, ask, question } = useRemoval(accounts, change?.remove, {
    removed: (name) => t("deleted", { name }),
    notRemoved: (name) => t("notDeleted", { name }),
  });
  return (
    <>
      <PageHead heading={t("heading")} note={t("note")}>
        {change ? <AddAccount create={change.create} /> : null}
      </PageHead>
      {shown.length > 0 ? (
        <ul aria-label={t("heading")} className="grid max-w-3xl gap-4">
          {shown.map((account) => (
            <li key={account.id}>
              <WechatCard
                account={account}
                pages={pages.filter(({ appId }) => appId === account.appId)}
                change={change}
                onDelete={() => ask(account)}
              />
            </li>
          ))}
        </ul>
      ) : (
        <EmptyState icon={<MessagesSquare aria-hidden />} title={t("emptyTitle")}>
          {t(change ? "emptyText" : "emptyReader")}
        </EmptyState>
      )}
      {question ? (
        <ConfirmDialog
          {...question.dialog}
          title={t("deleteTitle", { name: question.thing.name })}
          action={t("deleteAction")}
        >
          {t("deleteText")}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

function AddAccount({ create }: Pick<WechatChanges, "create">) {
  const t = useTranslations("wechat");
  const [open, setOpen] = useState(false);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button variant="solid">
          <Plus aria-hidden />
          {t("add")}
        </Button>
      </DialogTrigger>
      <DialogContent title={t("addTitle")} description={t("addText")}>
        <WechatForm
          save={create}
          onDone={() => {
            setOpen(false);
            toast.success(t("added"));
          }}
        />
      </DialogContent>
    </Dialog>
  );
}
