import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { PageHead } from "#components/shell/page-head";
import { SsoSettings } from "#components/sso/sso-settings";
import { Button } from "#components/ui/button";
import { findSso } from "#lib/identity/sso-providers";
import { type PageOf, Texts, titleOf } from "../../../../pages.tsx";
import { requireScope } from "../../../access.ts";
import * as actions from "./actions.ts";

export const generateMetadata = titleOf("sso.title");

export default async function SsoPage({ params }: PageOf<"workspace">) {
  const { workspace } = await params;
  const scope = await requireScope(workspace);
  if (!scope.permissions.has("members.write")) notFound();
  const [t, provider] = await Promise.all([getTranslations("sso"), findSso(scope)]);
  return (
    <Texts of={["sso"]}>
      <PageHead heading={t("heading")} note={t("note")}>
        <Button asChild>
          <a href="/docs/single-sign-on">{t("guide")}</a>
        </Button>
      </PageHead>
      <SsoSettings
        workspace={workspace}
        provider={provider ?? null}
        save={actions.saveProviderAction.bind(null, workspace)}
        remove={actions.removeProviderAction.bind(null, workspace)}
        saveAccess={actions.saveAccessAction.bind(null, workspace)}
        domains={{
          add: actions.addSsoDomainAction.bind(null, workspace),
          verify: actions.verifySsoDomainAction.bind(null, workspace),
          remove: actions.removeSsoDomainAction.bind(null, workspace),
        }}
      />
    </Texts>
  );
}
