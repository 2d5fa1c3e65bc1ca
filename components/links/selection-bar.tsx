"use client";

import {
  Archive,
  ArchiveRestore,
  Download,
  FolderInput,
  Grid3x3,
  Power,
  PowerOff,
  QrCode,
  Tag,
  Trash2,
  X,
} from "lucide-react";
import { useTranslations } from "next-intl";
import { type FormEvent, useRef, useState } from "react";
import type { FormAnswer } from "#components/forms/form";
import { LabelsForm } from "#components/qr/labels-form";
import {
  millimetersUsual,
  PrintWidthField,
  readMillimeters,
} from "#components/qr/print-width-field";
import { readArchive, readTemplates, saveFile } from "#components/qr/qr-calls.ts";
import { ownDesign } from "#components/qr/template-bar";
import { TemplateField } from "#components/qr/template-field";
import { useShortcut } from "#components/shell/shortcuts";
import { Button } from "#components/ui/button";
import { Dialog, DialogActions, DialogContent } from "#components/ui/dialog";
import { SelectField } from "#components/ui/labeled";
import { Popover, PopoverContent, PopoverTrigger } from "#components/ui/popover";
import { toast } from "#components/ui/toast";
import type { ReplaceHost } from "#lib/links/editing/schema";
import type { Link } from "#lib/links/fields/schema";
import type { HostPreview } from "#lib/links/list-jobs/schema";
import { type PictureFormat, pictureFormats } from "#lib/outreach/qr/schema";
import type { Template } from "#lib/outreach/qr-templates/schema";
import { BarButton } from "./bar-button.tsx";
import { FolderPicker } from "./folder-picker.tsx";
import type { LinkChange } from "./link-group.ts";
import type { ListRange } from "./list-head.tsx";
import { NamePicker } from "./name-picker.tsx";
import { type MarkState, markAmong, type NamedOption } from "./names.ts";
import { ReplaceHostDialog } from "./replace-host-dialog.tsx";
import { readTags } from "./tags-and-folders.ts";

interface SelectionBarProps {
  workspace: string;
  links: readonly Link[];
  /** Set if all links that match are selected. `links` are only some of them. */
  all: { range: ListRange; exportHref: string } | null;
  /** Null if the links are read-only. */
  changes: {
    changeSelected: (change: LinkChange, tags?: readonly Link["tags"][number][]) => void;
    previewHost: (step: ReplaceHost) => Promise<FormAnswer<HostPreview>>;
  } | null;
  onDelete: () => void;
  onClear: () => void;
}

export function SelectionBar(props: SelectionBarProps) {
  const { workspace, links, all, changes, onDelete, onClear } = props;
  const t = useTranslations("selection");
  const group = useTranslations("linkGroup");
  const off = links.every((link) => link.disabledAt !== null);
  const menu = { workspace, links, all: all?.range };
  const archived = links.every((link) => link.archived);
  const file = useRef<HTMLAnchorElement>(null);
  const turn = () => changes?.changeSelected({ disabled: !off });
  useShortcut("disable", turn);
  useShortcut("export", () => file.current?.click());
  useShortcut("clear", onClear);
  return (
    <section
      aria-label={t("actions")}
      className="flex items-center gap-1.5 max-sm:fixed max-sm:inset-x-0 max-sm:bottom-0 max-sm:z-30 max-sm:flex-wrap max-sm:justify-around max-sm:border-line max-sm:border-t max-sm:gap-0.5 max-sm:bg-surface max-sm:px-1 max-sm:pt-2 max-sm:pb-[max(0.5rem,env(safe-area-inset-bottom))]"
    >
      {changes ? (
        <>
          <TagMenu {...menu} onChange={changes.changeSelected} />
          <FolderMenu {...menu} onChange={changes.changeSelected} />
          <ReplaceHostDialog
            links={links}
            preview={changes.previewHost}
            onReplace={(replaceHost) => changes.changeSelected({ replaceHost })}
          />
          <BarButton
            label={archived ? group("unarchive") : group("archive")}
            icon={archived ? <ArchiveRestore aria-hidden /> : <Archive aria-hidden />}
            onClick={() => changes.changeSelected({ archived: !archived })}
          />
          <BarButton
            label={off ? t("enable") : t("disable")}
            icon={off ? <Power aria-hidden /> : <PowerOff aria-hidden />}
            onClick={turn}
          />
        </>
      ) : null}
      <Button asChild size="sm">
        <a ref={file} href={all ? all.exportHref : exportUrl(workspace, links)} download>
          <Download aria-hidden />
          <span className="max-lg:sr-only @max-[60rem]:sr-only">{t("export")}</span>
        </a>
      </Button>
      {all ? null : (
        <>
          <ArchiveDialog workspace={workspace} linkIds={links.map(({ id }) => id)} />
          <LabelsDialog workspace={workspace} linkIds={links.map(({ id }) => id)} />
        </>
      )}
      {changes ? (
        <BarButton
          label={t("delete")}
          icon={<Trash2 aria-hidden className="text-danger" />}
          onClick={onDelete}
        />
      ) : null}
      <Button variant="ghost" size="icon" aria-label={t("clear")} onClick={onClear}>
        <X aria-hidden />
      </Button>
    </section>
  );
}

function exportUrl(workspace: string, links: readonly Link[]): string {
  const linkIds = links.map(({ id }) => id).join(",");
  return `/api/links/export?${new URLSearchParams({ workspace, linkIds, showArchived: "true" })}`;
}

type MenuProps = Pick<SelectionBarProps, "workspace" | "links"> & {
  all: ListRange | undefined;
  onChange: NonNullable<SelectionBarProps["changes"]>["changeSelected"];
};

function TagMenu({ workspace, links, all, onChange }: MenuProps) {
  const t = useTranslations("selection");
  const [open, setOpen] = useState(false);
  const [requested, setRequested] = useState<
    ReadonlyMap<string, { named: NamedOption; on: boolean }>
  >(new Map());
  const markOf = (id: string): MarkState => {
    const request = requested.get(id);
    if (request) return request.on ? "all" : "none";
    const mark = markAmong(links, (link) => link.tags.some((tag) => tag.id === id));
    // Links on other pages may or may not have the tag.
    return all === undefined || mark === "none" ? mark : "some";
  };

  useShortcut("tags", () => setOpen(true));

  function pick(named: NamedOption) {
    setRequested(new Map(requested).set(named.id, { named, on: markOf(named.id) !== "all" }));
  }
  function apply() {
    const requests = [...requested.values()];
    const idsOf = (on: boolean) => requests.flatMap((one) => (one.on === on ? one.named.id : []));
    const [addTagIds, removeTagIds] = [idsOf(true), idsOf(false)];
    setOpen(false);
    const tags = requests.map(({ named: { id, name, color = "gray" } }) => ({ id, name, color }));
    onChange({ addTagIds, removeTagIds }, tags);
  }

  return (
    <Popover
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        setRequested(new Map());
      }}
    >
      <PopoverTrigger asChild>
        <BarButton label={t("tags")} icon={<Tag aria-hidden />} />
      </PopoverTrigger>
      <PopoverContent aria-label={t("tagsLabel")} align="start" className="p-0">
        <NamePicker
          label={t("searchTags")}
          read={(search) => readTags(workspace, search)}
          markOf={markOf}
          onPick={pick}
        />
        <div className="border-line border-t p-2">
          <Button
            variant="solid"
            className="w-full"
            disabled={requested.size === 0}
            onClick={apply}
          >
            {all?.more ? t("applyAll") : t("apply", { count: all?.total ?? links.length })}
          </Button>
        </div>
      </PopoverContent>
    </Popover>
  );
}

function FolderMenu({ workspace, links, onChange }: MenuProps) {
  const t = useTranslations("selection");
  const [open, setOpen] = useState(false);
  useShortcut("move", () => setOpen(true));
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <BarButton label={t("move")} icon={<FolderInput aria-hidden />} />
      </PopoverTrigger>
      <PopoverContent aria-label={t("moveLabel")} align="start" className="p-0">
        <FolderPicker
          workspace={workspace}
          links={links}
          onMove={(folderId) => {
            setOpen(false);
            onChange({ folderId });
          }}
        />
      </PopoverContent>
    </Popover>
  );
}

function LabelsDialog({ workspace, linkIds }: { workspace: string; linkIds: readonly string[] }) {
  const t = useTranslations("qrLabels");
  const [open, setOpen] = useState(false);
  const [templates, setTemplates] = useState<readonly Template[]>();

  async function show() {
    setOpen(true);
    // Without templates, the plain design is still available.
    setTemplates(await readTemplates(workspace).catch(() => []));
  }

  return (
    <>
      <Button size="sm" onClick={() => void show()}>
        <Grid3x3 aria-hidden />
        <span className="max-lg:sr-only @max-[60rem]:sr-only">{t("open")}</span>
      </Button>
      <Dialog open={open} onOpenChange={setOpen}>
        <DialogContent
          title={t("title", { count: linkIds.length })}
          description={t("text")}
          className="sm:max-w-3xl"
        >
          {templates ? (
            <LabelsForm
              workspace={workspace}
              linkIds={linkIds}
              templates={templates}
              onDone={() => setOpen(false)}
            />
          ) : null}
        </DialogContent>
      </Dialog>
    </>
  );
}

const widths = ["512", "1024", "2048"] as const;

interface ArchiveDialogProps {
  workspace: string;
  linkIds: readonly string[];
}

function ArchiveDialog({ workspace, linkIds }: ArchiveDialogProps) {
  const t = useTranslations("qr");
  const [open, setOpen] = useState(false);
  const [templates, setTemplates] = useState<readonly Template[]>();
  const [pending, setPending] = useState(false);
  const [format, setFormat] = useState<PictureFormat>("png");
  const [width, setWidth] = useState(String(millimetersUsual));
  const millimeters = readMillimeters(width);

  async function show() {
    setOpen(true);
    // Without templates, the plain design is still available.
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
      <BarButton label={t("many")} icon={<QrCode aria-hidden />} onClick={() => void show()} />
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
