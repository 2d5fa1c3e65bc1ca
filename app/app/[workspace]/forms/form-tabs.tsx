import { getTranslations } from "next-intl/server";
import { PageTabs } from "#components/shell/page-tabs";
import type { WorkspaceScope } from "#lib/tenancy/access";

/** Forms, and the people who answered them. */
export async function FormTabs({ scope, workspace }: { scope: WorkspaceScope; workspace: string }) {
  if (!scope.permissions.has("people.view")) return null;
  const t = await getTranslations("shell");
  return (
    <PageTabs
      label={t("forms")}
      tabs={[
        { href: `/app/${workspace}/forms`, text: t("forms") },
        { href: `/app/${workspace}/contacts`, text: t("contacts") },
      ]}
    />
  );
}
