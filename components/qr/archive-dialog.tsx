"use client";

import { Download, QrCode } from "lucide-react";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { pictureFormats } from "#lib/outreach/qr/schema";
import type { Template } from "#lib/outreach/qr-templates/schema";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions, DialogContent } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { toast } from "../ui/toast.tsx";
import { readArchive, readTemplates, saveFile } from "./qr-calls.ts";
import { plainTemplate } from "./template-bar.tsx";

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

  async function show() {
    setOpen(true);
    // Without templates the plain design is still available.
    setTemplates(await readTemplates(workspace).catch(() => []));
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const template = String(data.get("template"));
    const format = pictureFormats.find((one) => one === data.get("format")) ?? "png";
    setPending(true);
    try {
      const chosen = template === plainTemplate ? {} : { template };
      const size = Number(data.get("size"));
      const archive = await readArchive(workspace, { linkIds, format, size, ...chosen });
      saveFile(archive, "fuxi-qr-codes.zip");
      setOpen(false);
    } catch {
      toast.error(t("notArchived"));
    } finally {
      setPending(false);
    }
  }

  const defaultTemplate = templates?.find(({ isDefault }) => isDefault)?.id ?? plainTemplate;
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
              <Field label={t("templates")}>
                {(control) => (
                  <Select
                    {...control}
                    name="template"
                    defaultValue={defaultTemplate}
                    options={[
                      { value: plainTemplate, label: t("plain") },
                      ...templates.map(({ id, name }) => ({ value: id, label: name })),
                    ]}
                  />
                )}
              </Field>
              <div className="grid grid-cols-2 gap-4">
                <Field label={t("format")}>
                  {(control) => (
                    <Select
                      {...control}
                      name="format"
                      defaultValue="png"
                      options={pictureFormats.map((value) => ({ value, label: t(value) }))}
                    />
                  )}
                </Field>
                <Field label={t("size")}>
                  {(control) => (
                    <Select
                      {...control}
                      name="size"
                      defaultValue="1024"
                      options={widths.map((value) => ({ value, label: t("pixels", { value }) }))}
                    />
                  )}
                </Field>
              </div>
              <DialogActions>
                <Button type="submit" variant="solid" pending={pending}>
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
