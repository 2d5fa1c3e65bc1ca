import type { ReactNode } from "react";
import { AdminShell } from "#components/admin/admin-shell";
import { getSessionUser } from "#lib/identity/auth";
import { Announcements } from "../../announcements.tsx";
import { Texts } from "../../pages.tsx";
import { chooseLocale, chooseTheme } from "../../preference-actions.ts";
import { getTheme } from "../../preferences.ts";
import { proofActions } from "../../proof.ts";
import { requireOperator } from "../access.ts";

const texts = ["admin.nav", "admin.shell", "announcements", "languages", "shell", "themes"];

export default async function AdminLayout({ children }: { children: ReactNode }) {
  await requireOperator();
  const [user, theme] = await Promise.all([getSessionUser(), getTheme()]);
  return (
    <Texts of={texts}>
      <AdminShell
        user={{ name: user?.name ?? "", email: user?.email ?? "" }}
        preferences={{ theme, chooseTheme, chooseLocale }}
        proof={proofActions()}
      >
        <Announcements />
        {children}
      </AdminShell>
    </Texts>
  );
}
