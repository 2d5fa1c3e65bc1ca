import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { listDomains } from "#lib/links/hosts";
import { AppError } from "#lib/platform/errors";
import { getImport } from "#lib/transfer/imports";
import { ImportView } from "../../../../../components/imports/import-view.tsx";
import { requireScope } from "../../../access.ts";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("imports");
  return { title: t("heading") };
}

interface ImportPageProps {
  params: Promise<{ workspace: string; id: string }>;
}

export default async function ImportPage({ params }: ImportPageProps) {
  const { workspace, id } = await params;
  const scope = await requireScope(workspace);
  const [found, domains] = await Promise.all([
    getImport(scope, id).catch(missing),
    listDomains(scope),
  ]);
  return (
    <ImportView
      workspace={workspace}
      found={found}
      hosts={domains.map(({ slug }) => slug)}
      mayWrite={scope.permissions.has("links.write")}
    />
  );
}

function missing(error: unknown): never {
  if (error instanceof AppError && error.code === "not_found") notFound();
  throw error;
}
