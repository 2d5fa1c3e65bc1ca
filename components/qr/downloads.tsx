"use client";

import { ClipboardCopy, Download } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "#components/ui/button";
import { toast } from "#components/ui/toast";
import type { QrDesign } from "#lib/links/qr-design/schema";
import type { PictureFormat } from "#lib/outreach/qr/schema";
import { SelectField } from "../ui/labeled.tsx";
import { millimetersUsual, PrintWidthField, readMillimeters } from "./print-width-field.tsx";
import { drawCode, saveFile } from "./qr-calls.ts";

const pictureWidths = ["512", "1024", "2048", "4096"] as const;
const copiedPixels = 1_024;

interface DownloadsProps {
  workspace: string;
  linkId: string;
  /** The base name of the files. */
  name: string;
  design: QrDesign;
  disabled: boolean;
}

export function Downloads({ workspace, linkId, name, design, disabled }: DownloadsProps) {
  const t = useTranslations("qr");
  const [size, setSize] = useState("1024");
  const [width, setWidth] = useState(String(millimetersUsual));
  const millimeters = readMillimeters(width);
  const [pending, setPending] = useState<PictureFormat | "copy">();

  async function during(what: PictureFormat | "copy", run: () => Promise<void>, failed: string) {
    setPending(what);
    await run().catch(() => toast.error(failed));
    setPending(undefined);
  }

  const download = (format: PictureFormat) =>
    during(
      format,
      async () => {
        const request = {
          workspace,
          linkId,
          design,
          format,
          size: Number(size),
          ...(millimeters === undefined ? {} : { millimeters }),
        };
        saveFile(await drawCode(request), `${name}.${format}`);
      },
      t("notDrawn"),
    );

  const copy = () =>
    during(
      "copy",
      async () => {
        const request = { workspace, linkId, design, format: "png", size: copiedPixels } as const;
        // Passed as a promise, because some browsers no longer allow copying after the image was awaited.
        await navigator.clipboard.write([new ClipboardItem({ "image/png": drawCode(request) })]);
        toast.success(t("copied"));
      },
      t("notCopied"),
    );

  return (
    <div className="grid gap-3">
      <div className="grid grid-cols-2 items-start gap-3">
        <SelectField
          label={t("size")}
          value={size}
          onValueChange={setSize}
          options={pictureWidths.map((value) => ({ value, label: t("pixels", { value }) }))}
        />
        <PrintWidthField value={width} onValueChange={setWidth} />
      </div>
      <div className="grid grid-cols-2 gap-2">
        <Button
          disabled={disabled}
          pending={pending === "png"}
          onClick={() => void download("png")}
        >
          <Download aria-hidden />
          {t("png")}
        </Button>
        <Button
          disabled={disabled}
          pending={pending === "svg"}
          onClick={() => void download("svg")}
        >
          <Download aria-hidden />
          {t("svg")}
        </Button>
        <Button
          disabled={disabled || millimeters === undefined}
          pending={pending === "pdf"}
          onClick={() => void download("pdf")}
        >
          <Download aria-hidden />
          {t("pdf")}
        </Button>
        <Button disabled={disabled} pending={pending === "copy"} onClick={() => void copy()}>
          <ClipboardCopy aria-hidden />
          {t("copy")}
        </Button>
      </div>
      <p className="text-ink-muted text-sm">{t("printHint")}</p>
    </div>
  );
}
