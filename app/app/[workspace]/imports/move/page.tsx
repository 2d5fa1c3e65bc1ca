import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { MoveForm } from "#components/importers/move-form";
import { LockBox } from "#components/plans/locked";
import { BackLink } from "#components/shell/back-link";
import { PageHead } from "#components/shell/page-head";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { isFeatureOn } from "#lib/tenancy/features";
import { includes } from "#lib/tenancy/plans";
import { type PageOf, Texts, titleOf } from "../../../../pages.tsx";
import { requireScope } from "../../../access.ts";
import { FeatureNote } from "../../feature-note.tsx";

export const generateMetadata = titleOf("importers.heading");

export default async function MovePage({ params }: PageOf<"workspace">) {
  const { workspace } = await params;
  const scope = await requireScope(workspace);
  const [t, imports, isOn] = await Promise.all([
    getTranslations("importers"),
    getTranslations("imports"),
    isFeatureOn("imports"),
  ]);
  const mayWrite = scope.permissions.has("links.write");
  const isLocked = !includes(scope, "bulk");
  return (
    <Texts of={["importers", "imports"]}>
      {isOn ? null : <FeatureNote />}
      <BackLink href={`/app/${workspace}/imports`}>{imports("heading")}</BackLink>
      <PageHead heading={t("heading")} note={t("note")}>
        <Link href="/docs/moving" className="text-accent text-sm hover:underline">
          {t("guide")}
        </Link>
      </PageHead>
      <div className="grid max-w-2xl gap-4">
        {mayWrite && !isLocked && isOn ? <MoveForm workspace={workspace} /> : null}
        {mayWrite ? null : <p className="text-ink-muted text-sm">{imports("notYours")}</p>}
        {mayWrite ? <LockBox capability="bulk" /> : null}
        <Card heading={t("orFile")} note={t("orFileNote")}>
          <div>
            <Button asChild>
              <Link href={`/app/${workspace}/imports`}>{t("toFiles")}</Link>
            </Button>
          </div>
        </Card>
      </div>
    </Texts>
  );
}
