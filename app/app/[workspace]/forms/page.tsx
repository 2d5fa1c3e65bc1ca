import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { listForms } from "#lib/links/forms";
import { listGateways } from "#lib/outreach/gateway-accounts";
import { FormManager } from "../../../../components/visitor-forms/form-manager.tsx";
import { requireScope } from "../../access.ts";
import { deleteFormAction, saveFormAction } from "./actions.ts";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("forms");
  return { title: t("heading") };
}

interface FormsPageProps {
  params: Promise<{ workspace: string }>;
}

export default async function FormsPage({ params }: FormsPageProps) {
  const { workspace } = await params;
  const scope = await requireScope(workspace);
  const [forms, gateways] = await Promise.all([listForms(scope), listGateways(scope)]);
  return (
    <FormManager
      forms={forms}
      gateways={gateways.map(({ id, name }) => ({ id, name }))}
      contactsPath={scope.permissions.has("people.view") ? `/app/${workspace}/contacts` : null}
      actions={
        scope.permissions.has("links.write")
          ? {
              save: saveFormAction.bind(null, workspace),
              remove: deleteFormAction.bind(null, workspace),
            }
          : null
      }
    />
  );
}
