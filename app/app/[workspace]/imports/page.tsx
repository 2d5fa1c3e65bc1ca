import { ArrowRightLeft } from "lucide-react";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { ImporterList } from "#components/importers/importer-list";
import { ImportList } from "#components/imports/import-list";
import { UploadBox } from "#components/imports/upload-box";
import { LockBox } from "#components/plans/locked";
import { PageHead } from "#components/shell/page-head";
import { Button } from "#components/ui/button";
import { isFeatureOn } from "#lib/tenancy/features";
import { includes } from "#lib/tenancy/plans";
import { listImporters } from "#lib/transfer/importers";
import { listImportersQuery } from "#lib/transfer/importers/schema";
import { listImports } from "#lib/transfer/imports";
import { importsMax, keptDays, listImportsQuery } from "#lib/transfer/imports/schema";
import { type PageOf, Texts, titleOf } from "../../../pages.tsx";
import { requireScope } from "../../access.ts";
import { FeatureNote } from "../feature-note.tsx";

export const generateMetadata = titleOf("imports.heading");

export default async function ImportsPage({ params }: PageOf<"workspace">) {
  const { workspace } = await params;
  const scope = await requireScope(workspace);
  const [t, move, imports, importers, isOn] = await Promise.all([
    getTranslations("imports"),
    getTranslations("importers"),
    listImports(scope, listImportsQuery.parse({ pageSize: importsMax })),
    listImporters(scope, listImportersQuery.parse({})),
    isFeatureOn("imports"),
  ]);
  // The others have already become imports.
  const unread = importers.filter(({ state }) => state !== "ready" && state !== "cancelled");
  const mayUpload = scope.permissions.has("links.write");
  const isLocked = !includes(scope, "bulk");
  return (
    <Texts of={["importers", "imports"]}>
      {isOn ? null : <FeatureNote />}
      <PageHead heading={t("heading")} note={t("note", { days: keptDays })}>
        {mayUpload && !isLocked && isOn ? (
          <Button asChild>
            <Link href={`/app/${workspace}/imports/move`}>
              <ArrowRightLeft aria-hidden />
              {move("open")}
            </Link>
          </Button>
        ) : null}
      </PageHead>
      <div className="grid gap-4">
        {mayUpload && !isLocked && isOn ? <UploadBox workspace={workspace} /> : null}
        {mayUpload ? <LockBox capability="bulk" /> : null}
        {unread.length > 0 ? (
          <ImporterList importers={unread} path={`/app/${workspace}/imports/move`} />
        ) : null}
        {imports.length > 0 || !mayUpload || !isOn ? (
          <ImportList imports={imports} path={`/app/${workspace}/imports`} />
        ) : null}
      </div>
    </Texts>
  );
}
