import { FormManager } from "#components/visitor-forms/form-manager";
import { listForms } from "#lib/audience/forms";
import { listWechatDomains } from "#lib/audience/wechat-domains";
import { listGateways } from "#lib/outreach/gateway-accounts";
import { type PageOf, Texts, titleOf } from "../../../pages.tsx";
import { requireScope } from "../../access.ts";
import { deleteFormAction, saveFormAction } from "./actions.ts";
import { FormTabs } from "./form-tabs.tsx";

export const generateMetadata = titleOf("forms.heading");

export default async function FormsPage({ params }: PageOf<"workspace">) {
  const { workspace } = await params;
  const scope = await requireScope(workspace);
  const [forms, gateways, domains] = await Promise.all([
    listForms(scope),
    listGateways(scope),
    scope.permissions.has("domains.read") ? listWechatDomains(scope) : null,
  ]);
  const callbacks = domains?.filter(({ callback }) => callback).map(({ slug }) => slug);
  return (
    <Texts of={["forms", "named"]}>
      <FormTabs scope={scope} workspace={workspace} current="forms" />
      <FormManager
        forms={forms}
        gateways={gateways.map(({ id, name }) => ({ id, name }))}
        wechat={{ domains: callbacks ?? null, settingsPath: `/app/${workspace}/settings/wechat` }}
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
    </Texts>
  );
}
