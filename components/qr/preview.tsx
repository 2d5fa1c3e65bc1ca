"use client";

import { TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { classNames } from "#components/ui/class-names.ts";
import { type DesignWarning, findDesignWarnings, type QrDesign } from "#lib/links/qr-design/schema";
import { ApiError, drawCode } from "./qr-calls.ts";

/** Dragging through colors loads one image per pause, not one per color. */
const pauseMs = 150;
const previewPixels = 1_024;

interface Preview {
  /** The latest image, as a data URL. An image element does not run scripts in an SVG. */
  picture: string;
  state: "fresh" | "stale" | "failed";
  undrawable?: string | undefined;
}

/** The code as it will be downloaded. Shows the previous image until the next one is loaded. */
export function usePreview(
  workspace: string,
  linkId: string,
  design: QrDesign,
  initial: string,
): Preview {
  const [held, setHeld] = useState<Held>({ design, picture: initial, failed: initial === "" });
  useEffect(() => {
    if (held.design === design) return;
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      const request = { workspace, linkId, design, format: "svg", size: previewPixels } as const;
      try {
        const blob = await drawCode({ ...request, signal: controller.signal });
        const picture = imageUrl(await blob.text());
        if (!controller.signal.aborted) setHeld({ design, picture, failed: false });
      } catch (error) {
        if (controller.signal.aborted) return;
        const undrawable = undrawableIn(error);
        setHeld(({ picture }) => ({ design, picture, failed: true, undrawable }));
      }
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [workspace, linkId, design, held.design]);
  const { picture, failed, undrawable } = held;
  const state = held.design !== design ? "stale" : failed ? "failed" : "fresh";
  return { picture, state, undrawable };
}

interface Held {
  design: QrDesign;
  picture: string;
  failed: boolean;
  undrawable?: string | undefined;
}

function undrawableIn(error: unknown): string | undefined {
  const problem = error instanceof ApiError ? error.problem : undefined;
  return problem?.code === "caption_undrawable" ? String(problem.params["signs"]) : undefined;
}

function imageUrl(svg: string): string {
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

interface PreviewPictureProps {
  preview: Preview;
  address: string;
  design: QrDesign;
}

export function PreviewPicture({ preview, address, design }: PreviewPictureProps) {
  const t = useTranslations("qr");
  const { picture, state, undrawable } = preview;
  const [warning] = findDesignWarnings(design);
  return (
    <div className="grid gap-3">
      <div className="grid min-h-64 place-items-center rounded-lg border border-line bg-sunken p-4">
        {picture ? (
          // biome-ignore lint/performance/noImgElement: a data URL needs no loader
          <img
            src={picture}
            alt={t("pictureOf", { address })}
            data-state={state}
            className={classNames(
              "max-h-[26rem] w-full max-w-72 rounded-sm object-contain transition-opacity",
              state === "failed" && "opacity-30",
            )}
          />
        ) : null}
      </div>
      <div role="status">
        {warning ? (
          <Warning warning={warning} />
        ) : state === "failed" ? (
          <p className="text-danger text-sm">
            {undrawable ? t("captionUndrawable", { signs: undrawable }) : t("notDrawn")}
          </p>
        ) : null}
      </div>
    </div>
  );
}

function Warning({ warning }: { warning: DesignWarning }) {
  const t = useTranslations("qr");
  const refused = warning === "alike";
  return (
    <p
      className={classNames(
        "flex gap-2 rounded-md px-3 py-2 text-sm",
        refused ? "bg-danger-soft text-danger" : "bg-hover text-ink",
      )}
    >
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      {t(`warnings.${warning}`)}
    </p>
  );
}
