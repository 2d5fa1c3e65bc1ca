"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import {
  captionCharsMax,
  designMarginMax,
  designMarginMin,
  type QrDesign,
  qrCorners,
  qrDots,
  qrFrames,
  qrLevels,
} from "#lib/outreach/qr/schema";
import { Choice } from "../ui/choice.tsx";
import { Field } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";

export interface ControlsProps {
  design: QrDesign;
  change: (changes: Partial<QrDesign>) => void;
}

export function ShapeControls({ design, change }: ControlsProps) {
  const t = useTranslations("qr");
  return (
    <div className="grid gap-4">
      <Choice
        label={t("dots")}
        name="dots"
        options={qrDots.map((value) => ({ value, label: t(`dotNames.${value}`) }))}
        value={design.dots}
        onValueChange={(dots) => change({ dots })}
      />
      <Choice
        label={t("corners")}
        name="corners"
        options={qrCorners.map((value) => ({ value, label: t(`cornerNames.${value}`) }))}
        value={design.corners}
        onValueChange={(corners) => change({ corners })}
      />
    </div>
  );
}

export function ColorControls({ design, change }: ControlsProps) {
  const t = useTranslations("qr");
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <ColorField
        label={t("foreground")}
        value={design.foreground}
        onChange={(foreground) => change({ foreground })}
      />
      <ColorField
        label={t("cornerColor")}
        value={design.cornerColor}
        onChange={(cornerColor) => change({ cornerColor })}
      />
      <ColorField
        label={t("background")}
        value={design.background}
        onChange={(background) => change({ background })}
      />
    </div>
  );
}

interface ColorFieldProps {
  label: string;
  value: string;
  onChange: (color: string) => void;
}

/** A color by its picker or by its number; an incomplete number changes nothing yet. */
function ColorField({ label, value, onChange }: ColorFieldProps) {
  const t = useTranslations("qr");
  const [typed, setTyped] = useState<string>();
  const wrong = typed !== undefined && !/^#[0-9a-f]{6}$/i.test(typed);
  return (
    <Field label={label} error={wrong ? t("colorInvalid") : undefined}>
      {(control) => (
        <div className="flex gap-2">
          <input
            type="color"
            aria-label={t("pick", { color: label })}
            value={value}
            onChange={(event) => {
              setTyped(undefined);
              onChange(event.target.value);
            }}
            className="h-9 w-10 shrink-0 cursor-pointer rounded-md border border-line-strong bg-surface p-1 pointer-coarse:h-11"
          />
          <Input
            {...control}
            value={typed ?? value}
            spellCheck={false}
            autoComplete="off"
            maxLength={7}
            onChange={({ target }) => {
              const text = target.value.trim().toLowerCase();
              setTyped(text);
              if (/^#[0-9a-f]{6}$/.test(text)) onChange(text);
            }}
            onBlur={() => setTyped(undefined)}
            className="font-mono text-sm"
          />
        </div>
      )}
    </Field>
  );
}

export function FrameControls({ design, change }: ControlsProps) {
  const t = useTranslations("qr");
  return (
    <div className="grid gap-4">
      <Choice
        label={t("frame")}
        name="frame"
        options={qrFrames.map((value) => ({ value, label: t(`frameNames.${value}`) }))}
        value={design.frame}
        onValueChange={(frame) => change({ frame })}
      />
      <Field label={t("caption")} optional={t("captionMax", { max: captionCharsMax })}>
        {(control) => (
          <Input
            {...control}
            value={design.caption}
            maxLength={captionCharsMax}
            placeholder={t("captionPlaceholder")}
            autoComplete="off"
            onChange={({ target }) => change({ caption: target.value })}
          />
        )}
      </Field>
    </div>
  );
}

export function ReadingControls({ design, change }: ControlsProps) {
  const t = useTranslations("qr");
  const withLogo = design.logoId !== null;
  return (
    <div className="grid gap-4">
      <Choice
        label={t("level")}
        hint={withLogo ? t("levelOfLogo") : t("levelHint")}
        name="level"
        options={qrLevels.map((value) => ({ value, label: t(`levelNames.${value}`) }))}
        value={withLogo ? "H" : design.level}
        disabled={withLogo}
        onValueChange={(level) => change({ level })}
      />
      <Field label={t("margin")} hint={t("marginHint")}>
        {(control) => (
          <div className="flex items-center gap-3">
            <input
              {...control}
              type="range"
              min={designMarginMin}
              max={designMarginMax}
              value={design.margin}
              aria-valuetext={t("marginOf", { modules: design.margin })}
              onChange={({ target }) => change({ margin: Number(target.value) })}
              className="w-full accent-accent pointer-coarse:h-11"
            />
            <span className="w-6 text-right text-sm tabular-nums">{design.margin}</span>
          </div>
        )}
      </Field>
    </div>
  );
}
