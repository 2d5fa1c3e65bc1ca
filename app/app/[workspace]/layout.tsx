import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { listDomains } from "#lib/links/hosts";
import { listNotices } from "#lib/tenancy/notifications";
import { findSteps } from "#lib/tenancy/onboarding";
import { listWorkspaces } from "#lib/tenancy/workspaces";
import { BegunLink } from "../../../components/links/begun-link.tsx";
import { FirstSteps } from "../../../components/onboarding/first-steps.tsx";
import { AppShell } from "../../../components/shell/app-shell.tsx";
import { findBegun } from "../../begun.ts";
import { chooseLocale, chooseTheme } from "../../preference-actions.ts";
import { getTheme } from "../../preferences.ts";
import { requireScope, requireUser } from "../seat.ts";
import { makeBegunAction } from "./begun-actions.ts";
import { createLinkAction, findLinksAction } from "./links/actions.ts";
import { closeStepsAction, listNoticesAction, readNoticesAction } from "./notice-actions.ts";

interface WorkspaceLayoutProps {
  children: ReactNode;
  params: Promise<{ workspace: string }>;
}

export default async function WorkspaceLayout({ children, params }: WorkspaceLayoutProps) {
  const { workspace: slug } = await params;
  const scope = await requireScope(slug);
  const user = await requireUser();
  const [theme, begun, workspaces, domains, notices, steps] = await Promise.all([
    getTheme(),
    findBegun(),
    listWorkspaces(user.id),
    listDomains(scope),
    listNotices(scope),
    findSteps(scope),
  ]);
  const current = workspaces.find((one) => one.slug === slug) ?? notFound();
  return (
    <AppShell
      current={{ name: current.name, slug }}
      workspaces={workspaces.map((one) => ({ name: one.name, slug: one.slug }))}
      user={{ name: user.name, email: user.email }}
      preferences={{ theme, chooseTheme, chooseLocale }}
      readsAudit={scope.permissions.has("audit.read")}
      mayExport={scope.permissions.has("workspace.write")}
      bell={{
        notices,
        look: listNoticesAction.bind(null, slug),
        markRead: readNoticesAction.bind(null, slug),
        base: `/app/${slug}`,
      }}
      hosts={domains.map((domain) => domain.slug)}
      createLink={scope.permissions.has("links.write") ? createLinkAction.bind(null, slug) : null}
      findLinks={findLinksAction.bind(null, slug)}
    >
      {steps ? (
        <FirstSteps steps={steps} base={`/app/${slug}`} close={closeStepsAction.bind(null, slug)} />
      ) : null}
      {children}
      {scope.permissions.has("links.write") ? (
        <BegunLink waiting={begun !== undefined} make={makeBegunAction.bind(null, slug)} />
      ) : null}
    </AppShell>
  );
}
