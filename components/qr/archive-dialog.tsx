"use client";

import { Download, QrCode } from "lucide-react";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { useShortcut } from "#components/shell/shortcuts";
import { Button } from "#components/ui/button";
import { Dialog, DialogActions, DialogContent } from "#components/ui/dialog";
import { toast } from "#components/ui/toast";
import { type PictureFormat, pictureFormats } from "#lib/outreach/qr/schema";
import type { Template } from "#lib/outreach/qr-templates/schema";
import { SelectField } from "../ui/labeled.tsx";
import { millimetersUsual, PrintWidthField, readMillimeters } from "./print-width-field.tsx";
import { readArchive, readTemplates, saveFile } from "./qr-calls.ts";
import { ownDesign } from "./template-bar.tsx";
import { TemplateField } from "./template-field.tsx";

const widths = ["512", "1024", "2048"] as const;

interface ArchiveDialogProps {
  workspace: string;
  linkIds: readonly string[];
}

/** The codes of the selected links in one file. */
export function ArchiveDialog({ workspace, linkIds }: ArchiveDialogProps) {
  const t = useTranslations("qr");
  const [open, setOpen] = useState(false);
  const [templates, setTemplates] = useState<readonly Template[]>();
  const [pending, setPending] = useState(false);
  const [format, setFormat] = useState<PictureFormat>("png");
  const [width, setWidth] = useState(String(millimetersUsual));
  const millimeters = readMillimeters(width);

  async function show() {
    setOpen(true);
    // Without templates the plain design is still available.
    setTemplates(await readTemplates(workspace).catch(() => []));
  }

  useShortcut("codes", () => void show());

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const template = String(data.get("template"));
    setPending(true);
    try {
      const chosen = template === ownDesign ? {} : { template };
      const wide = format === "pdf" ? { millimeters } : { size: Number(data.get("size")) };
      const archive = await readArchive(workspace, { linkIds, format, ...wide, ...chosen });
      saveFile(archive, "fuxi-qr-codes.zip");
      setOpen(false);
    } catch {
      toast.error(t("notArchived"));
    } finally {
      setPending(false);
    }
  }

  return (
    <>
      <Button size="sm" onClick={() => void show()}>
        <QrCode aria-hidden />
        {t("many")}
      </Button>
      <Dialog open={open} onOpenChange={setOpen}>
        <DialogContent
          title={t("manyTitle", { count: linkIds.length })}
          description={t("manyText")}
        >
          {templates ? (
            <form onSubmit={submit} className="grid gap-4">
              <TemplateField templates={templates} />
              <div className="grid grid-cols-2 gap-4">
                <SelectField
                  label={t("format")}
                  value={format}
                  onValueChange={(value) =>
                    setFormat(pictureFormats.find((one) => one === value) ?? "png")
                  }
                  options={pictureFormats.map((value) => ({ value, label: t(value) }))}
                />
                {format === "pdf" ? (
                  <PrintWidthField value={width} onValueChange={setWidth} />
                ) : (
                  <SelectField
                    label={t("size")}
                    name="size"
                    defaultValue="1024"
                    options={widths.map((value) => ({ value, label: t("pixels", { value }) }))}
                  />
                )}
              </div>
              <DialogActions>
                <Button
                  type="submit"
                  variant="solid"
                  pending={pending}
                  disabled={format === "pdf" && millimeters === undefined}
                >
                  <Download aria-hidden />
                  {t("download")}
                </Button>
              </DialogActions>
            </form>
          ) : null}
        </DialogContent>
      </Dialog>
    </>
  );
}
