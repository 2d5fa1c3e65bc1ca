import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { listApiKeys } from "#lib/identity/api-keys";
import { KeyManager } from "../../../../../components/keys/key-manager.tsx";
import { requireScope } from "../../../access.ts";
import { QuotaNote } from "../../quota-note.tsx";
import { createKeyAction, keepKeyAction, revokeKeyAction } from "./actions.ts";
import { readChoices } from "./choices.ts";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("apiKeys");
  return { title: t("title") };
}

interface KeysPageProps {
  params: Promise<{ workspace: string }>;
}

export default async function KeysPage({ params }: KeysPageProps) {
  const { workspace } = await params;
  const scope = await requireScope(workspace);
  const [keys, choices] = await Promise.all([listApiKeys(scope), readChoices(scope)]);
  const may = scope.permissions.has("keys.write");
  return (
    <>
      <QuotaNote scope={scope} name="apiKeys" />
      <KeyManager
        keys={keys}
        choices={choices}
        href={`/app/${workspace}/settings/api-keys`}
        createKey={may ? createKeyAction.bind(null, workspace) : null}
        keepKey={may ? keepKeyAction.bind(null, workspace) : null}
        revokeKey={may ? revokeKeyAction.bind(null, workspace) : null}
      />
    </>
  );
}
