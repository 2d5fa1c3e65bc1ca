import { Mail } from "lucide-react";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { Board } from "#components/analytics/board";
import { ShareDialog } from "#components/shares/share-dialog";
import { Button } from "#components/ui/button";
import { listAnnotations } from "#lib/analytics/annotations";
import { listShares } from "#lib/analytics/shares";
import { type PageOf, Texts, titleOf } from "../../../pages.tsx";
import { requireReader } from "../../access.ts";
import {
  createAnnotationAction,
  createShareAction,
  deleteAnnotationAction,
  editAnnotationAction,
  revokeShareAction,
  showShareAction,
} from "./actions.ts";
import { sourceOf } from "./source.ts";
import { listSubjects } from "./subjects.ts";

export const generateMetadata = titleOf("analytics.title");

export default async function AnalyticsPage({ params }: PageOf<"workspace">) {
  const { workspace } = await params;
  const scope = await requireReader(workspace);
  const [t, subjects, shares, annotations] = await Promise.all([
    getTranslations("analytics"),
    listSubjects(scope, scope.permissions.has("workspace.write")),
    listShares(scope),
    listAnnotations(scope),
  ]);
  return (
    <Texts of={["analytics", "calendar", "shares"]}>
      <Board
        source={sourceOf(scope)}
        annotations={{
          list: annotations,
          actions: scope.permissions.has("links.write")
            ? {
                create: createAnnotationAction.bind(null, workspace),
                edit: editAnnotationAction.bind(null, workspace),
                remove: deleteAnnotationAction.bind(null, workspace),
              }
            : null,
        }}
        heading={<h1 className="font-semibold text-xl tracking-tight">{t("heading")}</h1>}
      >
        {scope.permissions.has("links.write") ? (
          <>
            <Button asChild aria-label={t("reports")}>
              <Link href={`/app/${workspace}/analytics/reports`}>
                <Mail aria-hidden />
                <span className="hidden sm:inline">{t("reports")}</span>
              </Link>
            </Button>
            <ShareDialog
              shares={shares}
              subjects={subjects}
              createShare={createShareAction.bind(null, workspace)}
              showShare={showShareAction.bind(null, workspace)}
              revokeShare={revokeShareAction.bind(null, workspace)}
            />
          </>
        ) : null}
      </Board>
    </Texts>
  );
}
