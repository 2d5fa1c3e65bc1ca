import { PublicKeyManager } from "#components/tracking/public-key-manager";
import { listTrackingKeys } from "#lib/analytics/tracking-keys";
import { config } from "#lib/platform/config";
import { type PageOf, Texts, titleOf } from "../../../../pages.tsx";
import { requireScope } from "../../../access.ts";
import { createPublicKeyAction, deletePublicKeyAction } from "./actions.ts";

export const generateMetadata = titleOf("publicKeys.heading");

export default async function PublicKeysPage({ params }: PageOf<"workspace">) {
  const { workspace } = await params;
  const scope = await requireScope(workspace);
  const keys = await listTrackingKeys(scope);
  return (
    <Texts of={["publicKeys"]}>
      <PublicKeyManager
        keys={keys}
        origin={config().FUXI_URL}
        change={
          scope.permissions.has("keys.write")
            ? {
                create: createPublicKeyAction.bind(null, workspace),
                remove: deletePublicKeyAction.bind(null, workspace),
              }
            : null
        }
      />
    </Texts>
  );
}
