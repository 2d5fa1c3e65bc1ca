"use client";

import { Trash2 } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useState, useTransition } from "react";
import { type FormAnswer, useAction } from "#components/forms/form";
import { withoutScheme } from "#components/links/names.ts";
import { PrefetchLink } from "#components/shell/prefetch-link";
import { Button } from "#components/ui/button";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { toast } from "#components/ui/toast";
import type { ListedImage } from "#lib/links/social-images/schema";

interface ImageListProps {
  images: readonly ListedImage[];
  workspace: string;
  zone: string;
  remove: ((id: string) => Promise<FormAnswer<null>>) | null;
}

export function ImageList({ images, workspace, zone, remove }: ImageListProps) {
  const t = useTranslations("images");
  const [asked, setAsked] = useState<ListedImage>();
  return (
    <>
      <ul
        aria-label={t("caption")}
        className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-2 xl:grid-cols-3"
      >
        {images.map((image) => (
          <ImageItem
            key={image.id}
            image={image}
            workspace={workspace}
            zone={zone}
            onDelete={remove ? () => setAsked(image) : null}
          />
        ))}
      </ul>
      {remove ? (
        <DeleteDialog image={asked} onClose={() => setAsked(undefined)} remove={remove} />
      ) : null}
    </>
  );
}

interface ImageItemProps {
  image: ListedImage;
  workspace: string;
  zone: string;
  onDelete: (() => void) | null;
}

function ImageItem({ image, workspace, zone, onDelete }: ImageItemProps) {
  const t = useTranslations("images");
  const format = useFormatter();
  const { url, width, height, bytes, createdAt } = image;
  const date = format.dateTime(new Date(createdAt), {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: zone,
  });
  const size = format.number(Math.max(1, Math.round(bytes / 1_024)), {
    style: "unit",
    unit: "kilobyte",
  });
  return (
    <li className="flex min-w-0 flex-col overflow-hidden rounded-xl border border-line bg-surface text-sm">
      {/* biome-ignore lint/performance/noImgElement: encoded and scaled when it was uploaded */}
      <img
        src={new URL(url).pathname}
        alt={t("preview", { date })}
        width={width}
        height={height}
        loading="lazy"
        className="h-40 w-full bg-sunken object-contain"
      />
      <div className="flex flex-1 flex-col gap-2 p-4">
        <div className="flex items-start justify-between gap-2">
          <div className="min-w-0">
            <p className="font-medium">{date}</p>
            <p className="text-ink-muted tabular-nums">
              {t("pixels", { width, height })} · {size}
            </p>
          </div>
          {onDelete ? (
            <Button
              variant="ghost"
              size="icon"
              aria-label={t("deleteNamed", { date })}
              onClick={onDelete}
            >
              <Trash2 aria-hidden />
            </Button>
          ) : null}
        </div>
        <UsedBy image={image} workspace={workspace} />
      </div>
    </li>
  );
}

function UsedBy({
  image: { links, linkCount },
  workspace,
}: Pick<ImageItemProps, "image" | "workspace">) {
  const t = useTranslations("images");
  const more = linkCount - links.length;
  return (
    <div className="text-ink-muted">
      <p>{t("links", { count: linkCount })}</p>
      {links.length > 0 ? (
        <ul aria-label={t("usedBy")}>
          {links.map(({ id, shortLink }) => (
            <li key={id} className="truncate">
              <PrefetchLink
                href={`/app/${workspace}/links/${id}`}
                className="text-ink underline-offset-4 hover:underline"
              >
                {withoutScheme(shortLink)}
              </PrefetchLink>
            </li>
          ))}
        </ul>
      ) : null}
      {more > 0 ? <p>{t("moreLinks", { count: more })}</p> : null}
    </div>
  );
}

interface DeleteDialogProps {
  image: ListedImage | undefined;
  onClose: () => void;
  remove: NonNullable<ImageListProps["remove"]>;
}

function DeleteDialog({ image, onClose, remove }: DeleteDialogProps) {
  const t = useTranslations("images");
  const runAction = useAction();
  const [, start] = useTransition();
  const count = image?.linkCount ?? 0;
  const confirm = (id: string) =>
    start(async () => {
      if (await runAction(() => remove(id))) toast.success(t("deleted"));
    });
  return (
    <ConfirmDialog
      open={image !== undefined}
      onOpenChange={onClose}
      title={t("deleteTitle")}
      action={t("deleteImage")}
      onConfirm={() => image && confirm(image.id)}
    >
      <p>{count === 0 ? t("deleteUnused") : t("deleteUsed", { count })}</p>
      <p className="mt-2">{t("deleteFor")}</p>
    </ConfirmDialog>
  );
}
