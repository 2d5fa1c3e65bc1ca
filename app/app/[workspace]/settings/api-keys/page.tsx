import { KeyManager } from "#components/keys/key-manager";
import { listApiKeys } from "#lib/identity/api-keys";
import { isFeatureOn } from "#lib/tenancy/features";
import { type PageOf, Texts, titleOf } from "../../../../pages.tsx";
import { requireScope } from "../../../access.ts";
import { FeatureNote } from "../../feature-note.tsx";
import { QuotaNote } from "../../quota-note.tsx";
import { createKeyAction, keepKeyAction, resumeKeyAction, revokeKeyAction } from "./actions.ts";
import { readChoices } from "./choices.ts";

export const generateMetadata = titleOf("apiKeys.title");

export default async function KeysPage({ params }: PageOf<"workspace">) {
  const { workspace } = await params;
  const scope = await requireScope(workspace);
  const [keys, choices, isOn] = await Promise.all([
    listApiKeys(scope),
    readChoices(scope),
    isFeatureOn("apiKeys"),
  ]);
  const may = scope.permissions.has("keys.write");
  return (
    <Texts of={["apiKeys"]}>
      {isOn ? <QuotaNote scope={scope} name="apiKeys" /> : <FeatureNote />}
      <KeyManager
        keys={keys}
        choices={choices}
        href={`/app/${workspace}/settings/api-keys`}
        createKey={may && isOn ? createKeyAction.bind(null, workspace) : null}
        decide={
          may
            ? {
                keep: keepKeyAction.bind(null, workspace),
                resume: resumeKeyAction.bind(null, workspace),
              }
            : null
        }
        revokeKey={may ? revokeKeyAction.bind(null, workspace) : null}
      />
    </Texts>
  );
}
