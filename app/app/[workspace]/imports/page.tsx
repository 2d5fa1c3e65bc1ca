import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { isFeatureOn } from "#lib/tenancy/features";
import { includes } from "#lib/tenancy/plans";
import { listImports } from "#lib/transfer/imports";
import { importsMax, keptDays, listImportsQuery } from "#lib/transfer/imports/schema";
import { ImportList } from "../../../../components/imports/import-list.tsx";
import { UploadBox } from "../../../../components/imports/upload-box.tsx";
import { LockNote } from "../../../../components/plans/locked.tsx";
import { PageHead } from "../../../../components/shell/page-head.tsx";
import { requireScope } from "../../access.ts";
import { FeatureNote } from "../feature-note.tsx";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("imports");
  return { title: t("heading") };
}

interface ImportsPageProps {
  params: Promise<{ workspace: string }>;
}

export default async function ImportsPage({ params }: ImportsPageProps) {
  const { workspace } = await params;
  const scope = await requireScope(workspace);
  const [t, imports, isOn] = await Promise.all([
    getTranslations("imports"),
    // All imports of the workspace.
    listImports(scope, listImportsQuery.parse({ pageSize: importsMax })),
    isFeatureOn("imports"),
  ]);
  const mayUpload = scope.permissions.has("links.write");
  const isLocked = !includes(scope, "bulk");
  return (
    <>
      {isOn ? null : <FeatureNote />}
      <PageHead heading={t("heading")} note={t("note", { days: keptDays })} />
      <div className="grid gap-4">
        {mayUpload && !isLocked && isOn ? <UploadBox workspace={workspace} /> : null}
        {mayUpload && isLocked ? (
          <p className="rounded-xl border border-line bg-sunken p-5 text-ink-muted text-sm">
            <LockNote />
          </p>
        ) : null}
        {imports.length > 0 || !mayUpload || !isOn ? (
          <ImportList imports={imports} path={`/app/${workspace}/imports`} />
        ) : null}
      </div>
    </>
  );
}
