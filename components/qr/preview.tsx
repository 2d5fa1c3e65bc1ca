"use client";

import { TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { type DesignWarning, findDesignWarnings, type QrDesign } from "#lib/outreach/qr/schema";
import { classNames } from "../ui/class-names.ts";
import { drawCode } from "./qr-calls.ts";

/** Dragging through colors loads one image per pause, not one per color. */
const pauseMs = 150;
const previewPixels = 1_024;

interface Preview {
  /** The latest image, as a data URL; an image element runs no scripts of it. */
  picture: string;
  state: "fresh" | "stale" | "failed";
}

/** The code as it is drawn for download. Keeps the previous image until the next one is loaded. */
export function usePreview(
  workspace: string,
  linkId: string,
  design: QrDesign,
  initial: string,
): Preview {
  const [held, setHeld] = useState({ design, picture: initial, failed: initial === "" });
  useEffect(() => {
    if (held.design === design) return;
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      const request = { workspace, linkId, design, format: "svg", size: previewPixels } as const;
      try {
        const blob = await drawCode({ ...request, signal: controller.signal });
        const picture = imageUrl(await blob.text());
        if (!controller.signal.aborted) setHeld({ design, picture, failed: false });
      } catch {
        if (!controller.signal.aborted) setHeld((before) => ({ ...before, design, failed: true }));
      }
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [workspace, linkId, design, held.design]);
  const { picture, failed } = held;
  return { picture, state: held.design !== design ? "stale" : failed ? "failed" : "fresh" };
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
  const { picture, state } = preview;
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
          <p className="text-danger text-sm">{t("notDrawn")}</p>
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
