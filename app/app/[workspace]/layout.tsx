import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { listDomains } from "#lib/domains";
import { listWorkspaces } from "#lib/workspaces";
import { AppShell } from "../../../components/shell/app-shell.tsx";
import { chooseLocale, chooseTheme } from "../../preference-actions.ts";
import { getTheme } from "../../preferences.ts";
import { requireScope, requireUser } from "../seat.ts";
import { createLinkAction, findLinksAction } from "./links/actions.ts";

interface WorkspaceLayoutProps {
  children: ReactNode;
  params: Promise<{ workspace: string }>;
}

export default async function WorkspaceLayout({ children, params }: WorkspaceLayoutProps) {
  const { workspace: slug } = await params;
  const scope = await requireScope(slug);
  const user = await requireUser();
  const [theme, workspaces, domains] = await Promise.all([
    getTheme(),
    listWorkspaces(user.id),
    listDomains(scope),
  ]);
  const current = workspaces.find((one) => one.slug === slug) ?? notFound();
  return (
    <AppShell
      current={{ name: current.name, slug }}
      workspaces={workspaces.map((one) => ({ name: one.name, slug: one.slug }))}
      user={{ name: user.name, email: user.email }}
      preferences={{ theme, chooseTheme, chooseLocale }}
      readsAudit={scope.permissions.has("audit.read")}
      hosts={domains.map((domain) => domain.slug)}
      createLink={scope.permissions.has("links.write") ? createLinkAction.bind(null, slug) : null}
      findLinks={findLinksAction.bind(null, slug)}
    >
      {children}
    </AppShell>
  );
}
