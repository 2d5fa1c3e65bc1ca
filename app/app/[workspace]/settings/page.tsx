import { getTranslations } from "next-intl/server";
import { PageHead } from "#components/shell/page-head";
import { CodeSettings } from "#components/workspaces/code-settings";
import { DeleteWorkspace } from "#components/workspaces/delete-workspace";
import { DomainChoice } from "#components/workspaces/domain-choice";
import { PageBranding } from "#components/workspaces/page-branding";
import { RetirementSettings } from "#components/workspaces/retirement-settings";
import { SessionSettings } from "#components/workspaces/session-settings";
import { WorkspaceSettings } from "#components/workspaces/workspace-settings";
import { getBranding } from "#lib/links/branding";
import { findDomain, listDomains } from "#lib/links/hosts";
import { inheritedRules } from "#lib/links/lifetime";
import { countryOfZone } from "#lib/platform/phones";
import type { Permission } from "#lib/tenancy/access/schema";
import { getWorkspace, graceDays } from "#lib/tenancy/workspaces";
import { type PageOf, titleOf } from "../../../pages.ts";
import { Texts } from "../../../texts.tsx";
import { requireScope } from "../../access.ts";
import {
  chooseDomainAction,
  deleteWorkspaceAction,
  saveCodesAction,
  saveRetirementAction,
  saveSessionsAction,
  saveWorkspaceAction,
} from "./actions.ts";

export const generateMetadata = titleOf("settings.title");

export default async function SettingsPage({ params }: PageOf<"workspace">) {
  const { workspace: slug } = await params;
  const scope = await requireScope(slug);
  const [t, workspace, domains, usual, branding] = await Promise.all([
    getTranslations("settings"),
    getWorkspace(scope),
    listDomains(scope),
    findDomain(scope, undefined),
    getBranding(scope),
  ]);
  const may = (permission: Permission) => scope.permissions.has(permission);
  return (
    <Texts of={["pageLook", "retirement", "sessionLimits", "settings"]}>
      <PageHead
        heading={t("heading")}
        {...(may("workspace.write") ? {} : { note: t("readOnly") })}
      />
      <div className="grid max-w-2xl gap-5">
        <WorkspaceSettings
          workspace={workspace}
          saveWorkspace={may("workspace.write") ? saveWorkspaceAction.bind(null, slug) : null}
        />
        {may("domains.write") && domains.length > 1 ? (
          <DomainChoice
            initial={usual?.slug ?? ""}
            hosts={domains.map((one) => one.slug)}
            choose={chooseDomainAction.bind(null, slug)}
          />
        ) : null}
        {may("workspace.write") ? (
          <RetirementSettings
            workspace={workspace}
            inherited={inheritedRules(workspace.plan)}
            save={saveRetirementAction.bind(null, slug)}
          />
        ) : null}
        {may("workspace.write") ? (
          <CodeSettings
            workspace={workspace}
            home={countryOfZone(workspace.zone) ?? null}
            save={saveCodesAction.bind(null, slug)}
          />
        ) : null}
        {may("workspace.write") ? (
          <SessionSettings workspace={workspace} save={saveSessionsAction.bind(null, slug)} />
        ) : null}
        {may("workspace.write") ? (
          <PageBranding workspace={slug} initial={branding} name={workspace.name} />
        ) : null}
        {may("workspace.delete") ? (
          <DeleteWorkspace
            name={workspace.name}
            days={graceDays}
            remove={deleteWorkspaceAction.bind(null, slug)}
          />
        ) : null}
      </div>
    </Texts>
  );
}
