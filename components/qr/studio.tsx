"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { LeaveGuard } from "#components/shell/leave-guard";
import { Card } from "#components/ui/card";
import { findDesignWarnings, plainDesign, type QrDesign } from "#lib/links/qr-design/schema";
import type { Logo, Template } from "#lib/outreach/qr-templates/schema";
import { ColorControls, FrameControls, ReadingControls, ShapeControls } from "./controls.tsx";
import { Downloads } from "./downloads.tsx";
import { LogoField } from "./logo-field.tsx";
import { PreviewPicture, usePreview } from "./preview.tsx";
import { SaveDesign } from "./save-design.tsx";
import { ownDesign, plainTemplate, TemplateBar } from "./template-bar.tsx";

interface StudioProps {
  workspace: string;
  linkId: string;
  /** The content of the code. */
  address: string;
  fileName: string;
  templates: readonly Template[];
  logos: readonly Logo[];
  /** The first image, in the design of the default template; "" when it cannot be drawn. */
  picture: string;
  /** The saved design of the link. */
  saved: QrDesign | null;
  mayWrite: boolean;
}

/** The editor of a code's design, with a preview. */
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

/** Whether two designs differ, whatever the order of their fields. */
function isChanged(design: QrDesign, before: QrDesign): boolean {
  const textOf = (one: QrDesign) => JSON.stringify(Object.entries(one).sort());
  return textOf(design) !== textOf(before);
}
