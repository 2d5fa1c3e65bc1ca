import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { listDomains } from "#lib/domains";
import { listWorkspaces } from "#lib/workspaces";
import { BegunLink } from "../../../components/links/begun-link.tsx";
import { AppShell } from "../../../components/shell/app-shell.tsx";
import { findBegun } from "../../begun.ts";
import { chooseLocale, chooseTheme } from "../../preference-actions.ts";
import { getTheme } from "../../preferences.ts";
import { requireScope, requireUser } from "../seat.ts";
import { makeBegunAction } from "./begun-actions.ts";
import { createLinkAction, findLinksAction } from "./links/actions.ts";

interface WorkspaceLayoutProps {
  children: ReactNode;
  params: Promise<{ workspace: string }>;
}

export default async function WorkspaceLayout({ children, params }: WorkspaceLayoutProps) {
  const { workspace: slug } = await params;
  const scope = await requireScope(slug);
  const user = await requireUser();
  const [theme, begun, workspaces, domains] = await Promise.all([
    getTheme(),
    findBegun(),
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
      {begun && scope.permissions.has("links.write") ? (
        <BegunLink make={makeBegunAction.bind(null, slug)} />
      ) : null}
    </AppShell>
  );
}
