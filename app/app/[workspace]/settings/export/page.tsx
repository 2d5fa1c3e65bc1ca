import { Archive } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { EmptyState } from "#components/ui/empty-state";
import { ExportManager } from "#components/workspace-exports/export-manager";
import { keptDays, listWorkspaceExports } from "#lib/transfer/workspace-export";
import { type PageOf, Texts, titleOf } from "../../../../pages.tsx";
import { requireScope } from "../../../access.ts";
import { startExportAction } from "./actions.ts";

export const generateMetadata = titleOf("takeouts.heading");

export default async function ExportPage({ params }: PageOf<"workspace">) {
  const { workspace: slug } = await params;
  const scope = await requireScope(slug);
  if (!scope.permissions.has("workspace.export")) {
    const t = await getTranslations("takeouts");
    return (
      <EmptyState icon={<Archive aria-hidden />} title={t("heading")} wholePage>
        {t("notYours")}
      </EmptyState>
    );
  }
  return (
    <Texts of={["takeouts"]}>
      <ExportManager
        exports={await listWorkspaceExports(scope)}
        keptDays={keptDays}
        path={`/app/${slug}/settings/export`}
        start={startExportAction.bind(null, slug)}
      />
    </Texts>
  );
}
