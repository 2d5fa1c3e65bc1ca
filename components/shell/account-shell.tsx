"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { ProofActions } from "#components/accounts/proof-dialog";
import { ProofRequests } from "#components/accounts/proof-request";
import { SignInAgain } from "#components/auth/sign-in-again";
import { AccountMenu, type AccountMenuProps } from "./account-menu.tsx";
import { accountPages } from "./page-list.ts";
import { PageItems, SideList } from "./side-list.tsx";
import { TopBar } from "./top-bar.tsx";

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
      <div className="flex min-h-dvh flex-col md:flex-row">
        <aside className="sticky top-0 hidden h-dvh w-60 shrink-0 border-line border-r bg-sunken p-2 md:block">
          {list}
        </aside>
        <TopBar name={t("accountSettings")} navigation={() => list} />
        <main id="content" className="min-w-0 flex-1">
          <div className="mx-auto w-full max-w-5xl px-4 py-5 md:px-8 md:py-8">{children}</div>
        </main>
      </div>
      <SignInAgain />
      <ProofRequests {...proof} />
    </>
  );
}
