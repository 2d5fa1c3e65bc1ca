"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { ProofActions } from "#components/accounts/proof-dialog";
import { ProofRequests } from "#components/accounts/proof-request";
import { SignInAgain } from "#components/auth/sign-in-again";
import { Mark } from "#components/brand/mark";
import { AccountMenu } from "#components/shell/account-menu";
import { NavigationItem } from "#components/shell/navigation-item";
import type { Preferences } from "#components/shell/preferences";
import { ShellFrame } from "#components/shell/shell-frame";
import { entries } from "./entries.ts";

interface AdminNavigationProps {
  user: { name: string; email: string };
  preferences: Preferences;
}

interface AdminShellProps extends AdminNavigationProps {
  proof: ProofActions;
  children: ReactNode;
}

export function AdminShell({ children, proof, ...frame }: AdminShellProps) {
  const t = useTranslations("admin.shell");
  return (
    <>
      <ShellFrame name={t("name")} navigation={() => <AdminNavigation {...frame} />}>
        {children}
      </ShellFrame>
      <SignInAgain ask={proof.signIn} />
      <ProofRequests {...proof} />
    </>
  );
}

function AdminNavigation({ user, preferences }: AdminNavigationProps) {
  const t = useTranslations("admin.shell");
  const nav = useTranslations("admin.nav");
  const shell = useTranslations("shell");
  return (
    <div className="flex h-full flex-col gap-4">
      <p className="flex h-10 items-center gap-2 px-2 font-semibold text-sm">
        <Mark className="size-4 text-accent" />
        {t("name")}
      </p>
      <nav
        aria-label={shell("navigation")}
        className="-my-1 flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-1 py-1"
      >
        <ul className="grid gap-0.5">
          {entries.map(({ href, page, icon }) => (
            <NavigationItem key={href} href={href} icon={icon} exact={href === "/admin"} plain>
              {nav(page)}
            </NavigationItem>
          ))}
        </ul>
        <ul className="mt-auto">
          <NavigationItem href="/app" icon="icon-arrow-left" exact plain>
            {t("dashboard")}
          </NavigationItem>
        </ul>
      </nav>
      <AccountMenu user={user} preferences={preferences} />
    </div>
  );
}
