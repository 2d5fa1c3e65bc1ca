import type { ReactNode } from "react";
import { AccountShell } from "#components/shell/account-shell";
import { Texts } from "../../pages.tsx";
import { chooseLocale, chooseTheme } from "../../preference-actions.ts";
import { getTheme } from "../../preferences.ts";
import { proofActions } from "../../proof.ts";
import { requireOwner } from "../access.ts";

export default async function AccountLayout({ children }: { children: ReactNode }) {
  const user = await requireOwner("/app/account");
  return (
    <Texts of={["auth", "languages", "security", "shell", "themes"]}>
      <AccountShell
        user={{ name: user.name, email: user.email }}
        operator={user.operator}
        preferences={{ theme: await getTheme(), chooseTheme, chooseLocale }}
        proof={proofActions()}
      >
        {children}
      </AccountShell>
    </Texts>
  );
}
