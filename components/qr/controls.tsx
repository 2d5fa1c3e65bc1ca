"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Choice } from "#components/ui/choice";
import { Field } from "#components/ui/field";
import { Input } from "#components/ui/input";
import { PictureChoice } from "#components/ui/picture-choice";
import {
  captionCharsMax,
  designMarginMax,
  designMarginMin,
  type QrDesign,
  qrCorners,
  qrDots,
  qrFrames,
  qrGradients,
  qrLevels,
} from "#lib/links/qr-design/schema";
import { InputField } from "../ui/labeled.tsx";
import {
  CornerThumbnail,
  DotsThumbnail,
  FrameThumbnail,
  GradientThumbnail,
} from "./thumbnails.tsx";

export interface ControlsProps {
  design: QrDesign;
  change: (changes: Partial<QrDesign>) => void;
}

export function ShapeControls({ design, change }: ControlsProps) {
  const t = useTranslations("qr");
  const { dots, corners } = design;
  const cornerDots = design.cornerDots ?? corners;
  return (
    <div className="grid gap-5 sm:grid-cols-2 lg:grid-cols-1 xl:grid-cols-3">
      <PictureChoice
        label={t("dots")}
        name="dots"
        options={qrDots.map((value) => ({
          value,
          label: t(`dotNames.${value}`),
          picture: <DotsThumbnail dots={value} />,
        }))}
        value={dots}
        onValueChange={(value) => change({ dots: value })}
      />
      <PictureChoice
        label={t("corners")}
        name="corners"
        options={qrCorners.map((value) => ({
          value,
          label: t(`cornerNames.${value}`),
          picture: <CornerThumbnail corners={value} cornerDots={cornerDots} part="ring" />,
        }))}
        value={corners}
        // The blocks within keep their shape, also where it was that of the corners.
        onValueChange={(value) => change({ corners: value, cornerDots })}
      />
      <PictureChoice
        label={t("cornerDots")}
        name="cornerDots"
        options={qrCorners.map((value) => ({
          value,
          label: t(`cornerNames.${value}`),
          picture: <CornerThumbnail corners={corners} cornerDots={value} part="block" />,
        }))}
        value={cornerDots}
        onValueChange={(value) => change({ cornerDots: value })}
      />
    </div>
  );
}

export function ColorControls({ design, change }: ControlsProps) {
  const t = useTranslations("qr");
  const { foreground, gradient, gradientColor } = design;
  return (
    <div className="grid items-start gap-5 xl:grid-cols-[18rem_minmax(0,1fr)]">
      <PictureChoice
        label={t("gradient")}
        name="gradient"
        options={qrGradients.map((value) => ({
          value,
          label: t(`gradientNames.${value}`),
          picture: <GradientThumbnail gradient={value} from={foreground} to={shownColor(design)} />,
        }))}
        value={gradient}
        // Two equal colors would be no gradient.
        onValueChange={(value) => change({ gradient: value, gradientColor: shownColor(design) })}
      />
      <div className="grid grid-cols-2 gap-4">
        <ColorField
          label={t("foreground")}
          value={foreground}
          onChange={(color) => change({ foreground: color })}
        />
        {gradient === "none" ? null : (
          <ColorField
            label={t("gradientColor")}
            value={gradientColor}
            onChange={(color) => change({ gradientColor: color })}
          />
        )}
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
    </div>
  );
}

const secondColor = "#2563eb";

/** The second color, or one that differs from the first until it was chosen. */
function shownColor({ gradient, foreground, gradientColor }: QrDesign): string {
  return gradient === "none" && foreground === gradientColor ? secondColor : gradientColor;
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
    <div className="grid items-start gap-5 xl:grid-cols-[18rem_minmax(0,1fr)]">
      <PictureChoice
        label={t("frame")}
        name="frame"
        options={qrFrames.map((value) => ({
          value,
          label: t(`frameNames.${value}`),
          picture: <FrameThumbnail frame={value} />,
        }))}
        value={design.frame}
        onValueChange={(frame) => change({ frame })}
      />
      <InputField
        label={t("caption")}
        optional={t("captionMax", { max: captionCharsMax })}
        value={design.caption}
        maxLength={captionCharsMax}
        placeholder={t("captionPlaceholder")}
        autoComplete="off"
        onChange={({ target }) => change({ caption: target.value })}
      />
    </div>
  );
}

export function ReadingControls({ design, change }: ControlsProps) {
  const t = useTranslations("qr");
  const withLogo = design.logoId !== null;
  return (
    <div className="grid items-start gap-5 xl:grid-cols-2">
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
