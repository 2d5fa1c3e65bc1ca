import { getTranslations } from "next-intl/server";
import { Board } from "#components/analytics/board";
import { ShareDialog, type ShareSubject } from "#components/shares/share-dialog";
import { listAnnotations } from "#lib/analytics/annotations";
import { listShares } from "#lib/analytics/shares";
import { listFolders } from "#lib/links/folders";
import { listFoldersQuery } from "#lib/links/folders/schema";
import { listTags } from "#lib/links/tags";
import { listTagsQuery } from "#lib/links/tags/schema";
import type { WorkspaceScope } from "#lib/tenancy/access";
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

export const generateMetadata = titleOf("analytics.title");

export default async function AnalyticsPage({ params }: PageOf<"workspace">) {
  const { workspace } = await params;
  const scope = await requireReader(workspace);
  const [t, subjects, shares, annotations] = await Promise.all([
    getTranslations("analytics"),
    listSubjects(scope),
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
          <ShareDialog
            shares={shares}
            subjects={subjects}
            createShare={createShareAction.bind(null, workspace)}
            showShare={showShareAction.bind(null, workspace)}
            revokeShare={revokeShareAction.bind(null, workspace)}
          />
        ) : null}
      </Board>
    </Texts>
  );
}

async function listSubjects(scope: WorkspaceScope): Promise<ShareSubject[]> {
  const whole = scope.permissions.has("workspace.write");
  const [t, folders, tags] = await Promise.all([
    getTranslations("shares"),
    listFolders(scope, listFoldersQuery.parse({})),
    whole ? listTags(scope, listTagsQuery.parse({})) : [],
  ]);
  return [
    ...(whole ? [{ value: "workspace", name: t("wholeWorkspace") }] : []),
    ...folders.map(({ id, name }) => ({ value: `folder:${id}`, name: t("folderOf", { name }) })),
    ...tags.map(({ id, name }) => ({ value: `tag:${id}`, name: t("tagOf", { name }) })),
  ];
}
