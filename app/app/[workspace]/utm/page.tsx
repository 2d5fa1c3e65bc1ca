import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { UtmManager } from "#components/utm/utm-manager";
import { listUtmTemplates } from "#lib/links/utm";
import { requireScope } from "../../access.ts";
import { deleteUtmAction, saveUtmAction } from "./actions.ts";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("utm");
  return { title: t("heading") };
}

interface UtmPageProps {
  params: Promise<{ workspace: string }>;
}

export default async function UtmPage({ params }: UtmPageProps) {
  const { workspace } = await params;
  const scope = await requireScope(workspace);
  const may = scope.permissions.has("links.write");
  return (
    <UtmManager
      templates={await listUtmTemplates(scope)}
      actions={
        may
          ? {
              save: saveUtmAction.bind(null, workspace),
              remove: deleteUtmAction.bind(null, workspace),
            }
          : null
      }
    />
  );
}
