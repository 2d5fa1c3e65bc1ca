import { Image as ImageIcon } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { ImageList } from "#components/images/image-list";
import { PageHead } from "#components/shell/page-head";
import { PrefetchLink } from "#components/shell/prefetch-link";
import { Button } from "#components/ui/button";
import { EmptyState } from "#components/ui/empty-state";
import { listSocialImages } from "#lib/links/social-images";
import { listImagesQuery } from "#lib/links/social-images/schema";
import { type ListPageOf, Texts, titleOf } from "../../../../pages.tsx";
import { requireScope } from "../../../access.ts";
import { deleteImageAction } from "./actions.ts";

const imagesPerPage = 50;

export const generateMetadata = titleOf("images.heading");

export default async function ImagesPage({ params, searchParams }: ListPageOf<"workspace">) {
  const [{ workspace }, asked] = await Promise.all([params, searchParams]);
  const scope = await requireScope(workspace);
  const given = listImagesQuery.shape.page.safeParse(asked.page);
  const page = given.success ? given.data : 1;
  const [t, images] = await Promise.all([
    getTranslations("images"),
    listSocialImages(scope, { page, pageSize: imagesPerPage }),
  ]);
  const path = `/app/${workspace}/settings/images`;
  return (
    <Texts of={["images"]}>
      <PageHead heading={t("heading")} note={t("note")} />
      {images.length === 0 ? (
        <EmptyState icon={<ImageIcon aria-hidden />} title={t("emptyTitle")}>
          {t("emptyText")}
        </EmptyState>
      ) : (
        <ImageList
          images={images}
          workspace={workspace}
          zone={scope.zone}
          remove={
            scope.permissions.has("workspace.write")
              ? deleteImageAction.bind(null, workspace)
              : null
          }
        />
      )}
      <div className="mt-4 flex justify-end gap-2">
        {page > 1 ? (
          <Button asChild>
            <PrefetchLink href={`${path}?page=${page - 1}`}>{t("previous")}</PrefetchLink>
          </Button>
        ) : null}
        {images.length === imagesPerPage ? (
          <Button asChild>
            <PrefetchLink href={`${path}?page=${page + 1}`}>{t("next")}</PrefetchLink>
          </Button>
        ) : null}
      </div>
    </Texts>
  );
}
