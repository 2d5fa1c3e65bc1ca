import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { PublicKeyManager } from "#components/tracking/public-key-manager";
import { listTrackingKeys } from "#lib/analytics/tracking-keys";
import { config } from "#lib/platform/config";
import { requireScope } from "../../../access.ts";
import { createPublicKeyAction, deletePublicKeyAction } from "./actions.ts";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("publicKeys");
  return { title: t("heading") };
}

interface PublicKeysPageProps {
  params: Promise<{ workspace: string }>;
}

export default async function PublicKeysPage({ params }: PublicKeysPageProps) {
  const { workspace } = await params;
  const scope = await requireScope(workspace);
  const keys = await listTrackingKeys(scope);
  return (
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
  );
}
