import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { listWorkspaces } from "#lib/workspaces";
import { PageHead } from "../../../../components/shell/page-head.tsx";
import { WorkspaceSettings } from "../../../../components/workspaces/workspace-settings.tsx";
import { requireScope, requireUser } from "../../seat.ts";
import { saveWorkspaceAction } from "./actions.ts";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("settings");
  return { title: t("title") };
}

interface SettingsPageProps {
  params: Promise<{ workspace: string }>;
}

export default async function SettingsPage({ params }: SettingsPageProps) {
  const { workspace: slug } = await params;
  await requireScope(slug);
  const user = await requireUser();
  const [t, workspaces] = await Promise.all([getTranslations("settings"), listWorkspaces(user.id)]);
  const workspace = workspaces.find((one) => one.slug === slug) ?? notFound();
  return (
    <>
      <PageHead heading={t("heading")} />
      <WorkspaceSettings
        workspace={workspace}
        saveWorkspace={saveWorkspaceAction.bind(null, slug)}
      />
    </>
  );
}
