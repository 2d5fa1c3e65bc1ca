"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useId, useState } from "react";
import { Choice } from "#components/ui/choice";
import { Field } from "#components/ui/field";
import { Input } from "#components/ui/input";
import {
  captionCharsMax,
  cornerPaths,
  designMarginMax,
  designMarginMin,
  dotPaths,
  type Matrix,
  type QrDesign,
  qrCorners,
  qrDots,
  qrFrames,
  qrGradients,
  qrLevels,
} from "#lib/links/qr-design/schema";
import { InputField } from "../ui/labeled.tsx";

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
        // Keeps the shape of the inner blocks, which follows the corners by default.
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
        // Starts with two different colors, because equal ones would not show a gradient.
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

function shownColor({ gradient, foreground, gradientColor }: QrDesign): string {
  return gradient === "none" && foreground === gradientColor ? secondColor : gradientColor;
}

interface ColorFieldProps {
  label: string;
  value: string;
  onChange: (color: string) => void;
}

/** A color, chosen with a picker or typed as a number. An incomplete number changes nothing. */
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

interface PictureChoiceProps<Value extends string> {
  /** Names the group for screen readers. */
  label: string;
  name: string;
  options: readonly { value: Value; label: string; picture: ReactNode }[];
  value: Value;
  onValueChange: (value: Value) => void;
}

function PictureChoice<Value extends string>({
  label,
  name,
  options,
  value,
  onValueChange,
}: PictureChoiceProps<Value>) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 font-medium text-sm">{label}</legend>
      <div className="grid max-w-72 grid-cols-3 gap-2">
        {options.map((option) => (
          <label
            key={option.value}
            className="group grid min-w-0 cursor-pointer justify-items-center gap-1 text-center text-ink-muted text-xs has-[:checked]:text-ink"
          >
            <input
              type="radio"
              className="sr-only"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onValueChange(option.value)}
            />
            <span
              aria-hidden
              className="grid h-16 w-full place-items-center rounded-lg border border-line bg-surface text-ink group-hover:bg-hover group-has-[:checked]:border-accent group-has-[:checked]:outline-1 group-has-[:checked]:outline-accent group-has-[:focus-visible]:outline-2 group-has-[:focus-visible]:outline-accent [&_svg]:size-10"
            >
              {option.picture}
            </span>
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

type Corners = QrDesign["corners"];

const sample: Matrix = { size: 5, modules: Uint8Array.from("1101101010111000010110111", Number) };

function DotsThumbnail({ dots }: { dots: QrDesign["dots"] }) {
  return (
    <svg viewBox="0 0 5 5" fill="currentColor" aria-hidden>
      <path d={dotPaths[dots](sample)} />
    </svg>
  );
}

const faded = 0.25;

/** Shows a corner as an option, for either its ring or its inner block. */
function CornerThumbnail({
  corners,
  cornerDots,
  part,
}: {
  corners: Corners;
  cornerDots: Corners;
  part: "ring" | "block";
}) {
  return (
    <svg viewBox="0 0 7 7" fill="currentColor" aria-hidden>
      <path
        d={cornerPaths[corners].ring(0, 0)}
        fillRule="evenodd"
        opacity={part === "ring" ? 1 : faded}
      />
      <path d={cornerPaths[cornerDots].block(2, 2)} opacity={part === "block" ? 1 : faded} />
    </svg>
  );
}

function GradientThumbnail({
  gradient,
  from,
  to,
}: {
  gradient: QrDesign["gradient"];
  from: string;
  to: string;
}) {
  const id = useId();
  const stops = (
    <>
      <stop stopColor={from} />
      <stop offset="1" stopColor={to} />
    </>
  );
  return (
    <svg viewBox="0 0 10 10" aria-hidden>
      {gradient === "linear" ? (
        <linearGradient id={id} x1="0" y1="0" x2="1" y2="1">
          {stops}
        </linearGradient>
      ) : null}
      {gradient === "radial" ? <radialGradient id={id}>{stops}</radialGradient> : null}
      <rect
        width={10}
        height={10}
        rx={1.5}
        fill={gradient === "none" ? from : `url(#${id})`}
        className="stroke-line"
        strokeWidth={0.25}
      />
    </svg>
  );
}

function FrameThumbnail({ frame }: { frame: QrDesign["frame"] }) {
  return (
    <svg viewBox="0 0 10 12" aria-hidden>
      {frame === "label" ? <rect width={10} height={12} rx={1.2} fill="currentColor" /> : null}
      {frame === "line" ? (
        <rect
          x={0.25}
          y={0.25}
          width={9.5}
          height={11.5}
          rx={1.2}
          fill="none"
          stroke="currentColor"
          strokeWidth={0.5}
        />
      ) : null}
      {frame === "label" ? (
        <rect x={0.8} y={0.8} width={8.4} height={8.4} rx={0.6} className="fill-surface" />
      ) : null}
      <path
        d="M2 2h2v2h-2zM6 2h2v2h-2zM2 6h2v2h-2zM5 5h1v1h-1zM7 5h1v1h-1zM5 7h1v1h-1zM6 6h1v1h-1zM7 7h1v1h-1z"
        fill="currentColor"
      />
      <path
        d="M2.5 10.3h5"
        className={frame === "label" ? "stroke-surface" : "stroke-current"}
        strokeWidth={0.7}
      />
    </svg>
  );
}
