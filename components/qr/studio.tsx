"use client";

import { ClipboardCopy, Download, RotateCcw, Save } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { holdPage, type PageHold } from "#components/shell/leaving.ts";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { SelectField } from "#components/ui/labeled";
import { toast } from "#components/ui/toast";
import { findDesignWarnings, plainDesign, type QrDesign } from "#lib/links/qr-design/schema";
import type { PictureFormat } from "#lib/outreach/qr/schema";
import type { Logo, Template } from "#lib/outreach/qr-templates/schema";
import { ColorControls, FrameControls, ReadingControls, ShapeControls } from "./controls.tsx";
import { LogoField } from "./logo-field.tsx";
import { PreviewPicture, usePreview } from "./preview.tsx";
import { millimetersUsual, PrintWidthField, readMillimeters } from "./print-width-field.tsx";
import { drawCode, saveDesign, saveFile } from "./qr-calls.ts";
import { ownDesign, plainTemplate, TemplateBar } from "./template-bar.tsx";

interface StudioProps {
  workspace: string;
  linkId: string;
  address: string;
  fileName: string;
  templates: readonly Template[];
  logos: readonly Logo[];
  /** The first image, in the design of the default template; "" if it cannot be drawn. */
  picture: string;
  saved: QrDesign | null;
  mayWrite: boolean;
}

export function Studio({ workspace, linkId, address, fileName, picture, ...props }: StudioProps) {
  const t = useTranslations("qr");
  const [templates, setTemplates] = useState(props.templates);
  const [logos, setLogos] = useState(props.logos);
  const standard = templates.find(({ isDefault }) => isDefault);
  const [saved, setSaved] = useState(props.saved);
  const [chosen, setChosen] = useState(props.saved ? ownDesign : (standard?.id ?? plainTemplate));
  const [design, setDesign] = useState<QrDesign>(props.saved ?? standard?.design ?? plainDesign);
  const preview = usePreview(workspace, linkId, design, picture);
  const change = (changes: Partial<QrDesign>) => setDesign({ ...design, ...changes });
  const controls = { design, change };
  const start = saved ?? standard?.design ?? plainDesign;
  const unreadable = findDesignWarnings(design).includes("alike");

  function choose(id: string) {
    setChosen(id);
    const template = templates.find((one) => one.id === id);
    // A template that was just saved already has the displayed design.
    if (template) setDesign(template.design);
    else if (id === ownDesign && saved) setDesign(saved);
    else if (id === plainTemplate) setDesign(plainDesign);
  }

  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
      {props.mayWrite && isChanged(design, start) ? <UnsavedGuard /> : null}
      <div className="order-2 grid gap-4 lg:order-1">
        <Card heading={t("templates")}>
          <TemplateBar
            workspace={workspace}
            templates={templates}
            chosen={chosen}
            hasOwn={saved !== null}
            design={design}
            mayWrite={props.mayWrite}
            onChoose={choose}
            onTemplates={setTemplates}
          />
        </Card>
        <Card heading={t("look")}>
          <div className="grid gap-6">
            <ShapeControls {...controls} />
            <ColorControls {...controls} />
            <LogoField
              workspace={workspace}
              logos={logos}
              chosen={design.logoId}
              mayWrite={props.mayWrite}
              onChoose={(logoId) => change({ logoId })}
              onLogos={setLogos}
            />
          </div>
        </Card>
        <Card heading={t("around")}>
          <div className="grid gap-6">
            <FrameControls {...controls} />
            <ReadingControls {...controls} />
          </div>
        </Card>
      </div>
      <section
        aria-label={t("preview")}
        className="order-1 grid gap-4 rounded-xl border border-line bg-surface p-4 lg:sticky lg:top-4 lg:order-2"
      >
        <PreviewPicture preview={preview} address={address} design={design} />
        {props.mayWrite ? (
          <SaveDesign
            workspace={workspace}
            linkId={linkId}
            design={design}
            saved={saved}
            disabled={unreadable || preview.state === "failed"}
            onSaved={() => {
              setSaved(design);
              setChosen(ownDesign);
            }}
            onReset={() => {
              setSaved(null);
              choose(standard?.id ?? plainTemplate);
            }}
          />
        ) : null}
        <Downloads
          workspace={workspace}
          linkId={linkId}
          name={fileName}
          design={design}
          disabled={unreadable || preview.state === "failed"}
        />
      </section>
    </div>
  );
}

function UnsavedGuard() {
  const t = useTranslations("qr.unsaved");
  return (
    <LeaveGuard title={t("title")} action={t("leave")}>
      {t("text")}
    </LeaveGuard>
  );
}

/** Compares two designs, ignoring the order of their fields. */
function isChanged(design: QrDesign, before: QrDesign): boolean {
  const textOf = (one: QrDesign) => JSON.stringify(Object.entries(one).sort());
  return textOf(design) !== textOf(before);
}

interface LeaveGuardProps {
  title: string;
  children: ReactNode;
  action: string;
}

/** While this is rendered, leaving the page asks first. For closing the tab, the browser shows its own question. */
function LeaveGuard({ title, children, action }: LeaveGuardProps) {
  const router = useRouter();
  const [asked, setAsked] = useState<{ path: string | null }>();
  const hold = useRef<PageHold>(undefined);
  useEffect(() => {
    hold.current = holdPage((path) => setAsked({ path }));
    return () => {
      hold.current?.release(true);
      hold.current = undefined;
    };
  }, []);

  function stay() {
    if (asked?.path === null) hold.current?.holdAgain();
    setAsked(undefined);
  }

  function leave() {
    hold.current?.release(false);
    hold.current = undefined;
    // Replaces the history entry that caught the back button.
    if (asked?.path) router.replace(asked.path);
    else history.back();
  }

  return (
    <ConfirmDialog
      open={asked !== undefined}
      onOpenChange={stay}
      title={title}
      action={action}
      onConfirm={leave}
    >
      {children}
    </ConfirmDialog>
  );
}

interface SaveDesignProps {
  workspace: string;
  linkId: string;
  design: QrDesign;
  saved: QrDesign | null;
  disabled: boolean;
  onSaved: () => void;
  onReset: () => void;
}

function SaveDesign(props: SaveDesignProps) {
  const { workspace, linkId, design, saved, disabled, onSaved, onReset } = props;
  const t = useTranslations("qr");
  // Refreshes the page after a change, because the router would show the old one to people who come back to it.
  const { refresh } = useRouter();
  const [pending, setPending] = useState<"save" | "reset">();

  async function save() {
    setPending("save");
    try {
      await saveDesign(workspace, linkId, design);
      onSaved();
      refresh();
      toast.success(t("designSaved"));
    } catch {
      toast.error(t("designNotSaved"));
    } finally {
      setPending(undefined);
    }
  }

  async function reset() {
    setPending("reset");
    try {
      await saveDesign(workspace, linkId, null);
      onReset();
      refresh();
      toast.success(t("designReset"));
    } catch {
      toast.error(t("designNotReset"));
    } finally {
      setPending(undefined);
    }
  }

  return (
    <div className="flex gap-2">
      <Button
        variant="solid"
        className="flex-1"
        pending={pending === "save"}
        disabled={design === saved || disabled}
        onClick={() => void save()}
      >
        <Save aria-hidden />
        {t("saveDesign")}
      </Button>
      {saved ? (
        <Button pending={pending === "reset"} onClick={() => void reset()}>
          <RotateCcw aria-hidden />
          {t("resetDesign")}
        </Button>
      ) : null}
    </div>
  );
}

const pictureWidths = ["512", "1024", "2048", "4096"] as const;
const copiedPixels = 1_024;

interface DownloadsProps {
  workspace: string;
  linkId: string;
  name: string;
  design: QrDesign;
  disabled: boolean;
}

function Downloads({ workspace, linkId, name, design, disabled }: DownloadsProps) {
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
