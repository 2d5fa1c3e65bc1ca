import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { PageHead } from "#components/shell/page-head";
import { RetirementSettings } from "#components/workspaces/retirement-settings";
import { rulesOf } from "#lib/tenancy/plans";
import { getWorkspace } from "#lib/tenancy/workspaces";
import { type PageOf, Texts, titleOf } from "../../../../pages.tsx";
import { requireScope } from "../../../access.ts";
import { saveRetirementAction } from "../actions.ts";

const noSettings = { retireApiDays: null, retirePeopleDays: null, retireFromCreation: false };

export const generateMetadata = titleOf("shell.retention");

export default async function RetentionPage({ params }: PageOf<"workspace">) {
  const { workspace: slug } = await params;
  const scope = await requireScope(slug);
  if (!scope.permissions.has("workspace.write")) notFound();
  const [t, workspace] = await Promise.all([getTranslations("shell"), getWorkspace(scope)]);
  return (
    <Texts of={["retirement"]}>
      <PageHead heading={t("retention")} />
      <div className="grid max-w-2xl gap-5">
        <RetirementSettings
          workspace={workspace}
          inherited={rulesOf({ ...scope, ...noSettings })}
          save={saveRetirementAction.bind(null, slug)}
        />
      </div>
    </Texts>
  );
}
