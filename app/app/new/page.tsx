import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { AuthCard, AuthLink } from "#components/auth/auth-card";
import { Mark } from "#components/brand/mark";
import { PreferencesMenu } from "#components/shell/preferences";
import { DeletedWorkspaces } from "#components/workspaces/deleted-workspaces";
import { WorkspaceForm } from "#components/workspaces/workspace-form";
import { mayCreateWorkspaces } from "#lib/tenancy/instance-rules";
import { listDeletedWorkspaces, listWorkspaces } from "#lib/tenancy/workspaces";
import { slugCharsMax, slugCharsMin } from "#lib/tenancy/workspaces/schema";
import { Announcements } from "../../announcements.tsx";
import { Texts, titleOf } from "../../pages.tsx";
import { chooseLocale, chooseTheme } from "../../preference-actions.ts";
import { getTheme } from "../../preferences.ts";
import { requireOwner } from "../access.ts";
import { createWorkspaceAction, restoreWorkspaceAction } from "./actions.ts";

export const generateMetadata = titleOf("workspaces.newTitle");

export default async function NewWorkspacePage() {
  const user = await requireOwner("/app/new");
  const [t, auth, common, theme, may, workspaces, deleted] = await Promise.all([
    getTranslations("workspaces"),
    getTranslations("auth"),
    getTranslations("common"),
    getTheme(),
    mayCreateWorkspaces(user.id),
    listWorkspaces(user.id),
    listDeletedWorkspaces(user.id),
  ]);
  const [first] = workspaces;
  const own = workspaces.filter(({ demo }) => !demo);
  const demo = workspaces.find((one) => one.demo);
  return (
    <Texts of={["announcements", "languages", "themes", "workspaces"]}>
      <div className="flex min-h-dvh flex-col bg-sunken">
        <header className="flex h-16 items-center justify-between px-5 md:px-8">
          <Link href="/app" className="flex items-center gap-2 rounded-sm font-semibold text-lg">
            <Mark className="size-5 text-accent" />
            {common("product")}
          </Link>
          <PreferencesMenu theme={theme} chooseTheme={chooseTheme} chooseLocale={chooseLocale} />
        </header>
        <main id="content" className="grid flex-1 content-center justify-items-center px-5 pb-24">
          <div className="w-full max-w-sm">
            <Announcements />
            {may ? (
              <AuthCard
                heading={own.length > 0 ? t("newHeading") : t("firstHeading")}
                note={t("note")}
                below={
                  demo && own.length === 0 ? (
                    <AuthLink to={`/app/${demo.slug}/links`}>{t("openDemo")}</AuthLink>
                  ) : null
                }
              >
                <WorkspaceForm
                  createWorkspace={createWorkspaceAction}
                  limits={{ min: slugCharsMin, max: slugCharsMax }}
                />
              </AuthCard>
            ) : (
              <AuthCard heading={t("closedHeading")} note={t("closedNote")}>
                <AuthLink to={first ? `/app/${first.slug}/links` : "/signout"}>
                  {first ? t("closedBack") : auth("signOutTitle")}
                </AuthLink>
              </AuthCard>
            )}
            <DeletedWorkspaces workspaces={deleted} restore={restoreWorkspaceAction} />
          </div>
        </main>
      </div>
    </Texts>
  );
}
