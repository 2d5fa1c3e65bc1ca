"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { ProofActions } from "#components/accounts/proof-dialog";
import { ProofRequests } from "#components/accounts/proof-request";
import { SignInAgain } from "#components/auth/sign-in-again";
import { AccountMenu, type AccountMenuProps } from "./account-menu.tsx";
import { accountPages } from "./page-list.ts";
import { ShellFrame } from "./shell-frame.tsx";
import { PageItems, SideList } from "./side-list.tsx";

interface AccountShellProps extends AccountMenuProps {
  proof: ProofActions;
  children: ReactNode;
}

/** The frame of the pages about a person, who may have no workspace. */
export function AccountShell({ proof, children, ...menu }: AccountShellProps) {
  const t = useTranslations("shell");
  const list = (
    <div className="flex h-full flex-col gap-4">
      <SideList back={{ href: "/app", text: t("dashboard") }} heading={t("accountSettings")}>
        <PageItems base="/app" pages={accountPages} />
      </SideList>
      <AccountMenu {...menu} />
    </div>
  );
  return (
    <>
      <ShellFrame name={t("accountSettings")} navigation={() => list}>
        {children}
      </ShellFrame>
      <SignInAgain ask={proof.signIn} />
      <ProofRequests {...proof} />
    </>
  );
}
