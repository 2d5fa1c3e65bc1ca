import { getTranslations } from "next-intl/server";
import { PageHead } from "#components/shell/page-head";
import { PageBranding } from "#components/workspaces/page-branding";
import {
  CodeSettings,
  DeleteWorkspace,
  DomainChoice,
  OwnVisits,
  SessionSettings,
} from "#components/workspaces/settings-cards";
import { WorkspaceSettings } from "#components/workspaces/workspace-settings";
import { getRequestAddress } from "#lib/identity/auth";
import { getBranding } from "#lib/links/branding";
import { findDomain, listDomains } from "#lib/links/hosts";
import { countryOfZone } from "#lib/platform/phones";
import type { Permission } from "#lib/tenancy/access/schema";
import { getWorkspace, graceDays } from "#lib/tenancy/workspaces";
import { type PageOf, Texts, titleOf } from "../../../pages.tsx";
import { requireScope } from "../../access.ts";
import * as actions from "./actions.ts";

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
  const own = domains.filter(({ workspacePk }) => workspacePk === scope.workspacePk);
  const may = (permission: Permission) => scope.permissions.has(permission);
  return (
    <Texts of={["pageLook", "sessionLimits", "settings"]}>
      <PageHead
        heading={t("heading")}
        {...(may("workspace.write") ? {} : { note: t("readOnly") })}
      />
      <div className="grid max-w-2xl gap-5">
        <WorkspaceSettings
          workspace={workspace}
          saveWorkspace={
            may("workspace.write") ? actions.saveWorkspaceAction.bind(null, slug) : null
          }
        />
        {may("domains.write") && domains.length > 1 ? (
          <DomainChoice
            initial={usual?.slug ?? ""}
            hosts={domains.map((one) => one.slug)}
            choose={actions.chooseDomainAction.bind(null, slug)}
          />
        ) : null}
        <OwnVisits
          networks={workspace.ownNetworks}
          hosts={own.map((one) => one.slug)}
          address={await getRequestAddress()}
          save={may("workspace.write") ? actions.saveOwnVisitsAction.bind(null, slug) : null}
          workspace={slug}
        />
        {may("workspace.write") ? (
          <>
            <CodeSettings
              workspace={workspace}
              home={countryOfZone(workspace.zone) ?? null}
              save={actions.saveCodesAction.bind(null, slug)}
            />
            <SessionSettings
              workspace={workspace}
              save={actions.saveSessionsAction.bind(null, slug)}
            />
            <PageBranding workspace={slug} initial={branding} name={workspace.name} />
          </>
        ) : null}
        {may("workspace.delete") ? (
          <DeleteWorkspace
            name={workspace.name}
            days={graceDays}
            remove={actions.deleteWorkspaceAction.bind(null, slug)}
          />
        ) : null}
      </div>
    </Texts>
  );
}
