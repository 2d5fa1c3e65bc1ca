"use client";

import { geoNaturalEarth1, geoPath } from "d3-geo";
import { iso31661 } from "iso-3166";
import { useFormatter, useTranslations } from "next-intl";
import { type KeyboardEvent, useState } from "react";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import atlas from "world-atlas/countries-110m.json";
import { classNames } from "#components/ui/class-names.ts";
import { useBoard } from "./board-state.tsx";
import type { ValueCount } from "./read-answer.ts";
import { ValueIcon } from "./value-icon.tsx";
import { useValueNames } from "./value-names.ts";

const width = 640;
const height = 318;
const antarctica = "010";
const firstCountries = 3;

interface Country {
  code: string;
  path: string;
  x: number;
  y: number;
}

let drawn: Country[] | undefined;

/** All countries as paths. Computed once: the projection is expensive. */
function drawCountries(): Country[] {
  const world = readAtlas(atlas);
  const lands = feature(world, world.objects.countries);
  const seen = { ...lands, features: lands.features.filter(({ id }) => id !== antarctica) };
  const path = geoPath(geoNaturalEarth1().fitSize([width, height], seen)).digits(1);
  const codes = new Map(iso31661.map(({ numeric, alpha2 }) => [numeric, alpha2]));
  return seen.features.map((one) => {
    const [x, y] = path.centroid(one);
    return {
      code: codes.get(String(one.id)) ?? "",
      path: path(one) ?? "",
      x: (x / width) * 100,
      y: (y / height) * 100,
    };
  });
}

const steps: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
};

export function WorldMap({ rows }: { rows: readonly ValueCount[] }) {
  const t = useTranslations("analytics");
  const [near, setNear] = useState("");
  // Clicks from unknown locations are not on the map.
  const placed = rows.filter(({ value, clicks }) => clicks > 0 && /^[A-Z]{2}$/.test(value));
  return (
    <div className="flex h-full flex-col items-center justify-center gap-2 px-4 py-3">
      <Drawing placed={placed} near={near} setNear={setNear} />
      {placed.length > 0 ? (
        <FirstCountries placed={placed} setNear={setNear} />
      ) : (
        <p className="text-ink-muted text-xs">{t(rows.length > 0 ? "mapUnknown" : "nothing")}</p>
      )}
    </div>
  );
}

interface MapProps {
  placed: readonly ValueCount[];
  setNear: (code: string) => void;
}

function useLabels(placed: MapProps["placed"]): (code: string) => string {
  const t = useTranslations("analytics");
  const nameOf = useValueNames();
  const clicks = new Map(placed.map((row) => [row.value, row.clicks]));
  return (code) =>
    `${nameOf("country", code)} · ${t("clickCount", { count: clicks.get(code) ?? 0 })}`;
}

/**
 * Countries with clicks are buttons. The map is a single Tab stop; the arrow keys move through the countries, starting with the
 * one with the most clicks.
 */
function Drawing({ placed, near, setNear }: MapProps & { near: string }) {
  const t = useTranslations("analytics");
  const labelOf = useLabels(placed);
  drawn ??= drawCountries();
  const seen = drawn;
  const buttons = placed.filter(({ value }) => seen.some(({ code }) => code === value));
  const stop = buttons.some(({ value }) => value === near) ? near : buttons[0]?.value;
  const shown = seen.find(({ code }) => code !== "" && code === near);
  const most = Math.max(1, ...placed.map(({ clicks }) => clicks));

  function onKeyDown(event: KeyboardEvent<SVGSVGElement>) {
    const step = steps[event.key];
    if (step === undefined || buttons.length === 0) return;
    event.preventDefault();
    const at = buttons.findIndex(({ value }) => value === stop) + step;
    const next = buttons.at(at % buttons.length)?.value;
    event.currentTarget.querySelector<SVGPathElement>(`[data-country="${next}"]`)?.focus();
  }

  return (
    <div className="relative aspect-[640/318] w-full max-w-[480px]">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a drawing */}
      <svg
        role="group"
        aria-label={t("map")}
        viewBox={`0 0 ${width} ${height}`}
        className="size-full"
        onMouseLeave={() => setNear("")}
        onKeyDown={onKeyDown}
      >
        {seen.map((country) => {
          const row = placed.find(({ value }) => value === country.code);
          return (
            <CountryShape
              key={`${country.code} ${country.path.slice(0, 24)}`}
              country={country}
              part={row ? row.clicks / most : 0}
              label={labelOf(country.code)}
              isStop={country.code === stop}
              setNear={setNear}
            />
          );
        })}
      </svg>
      {shown ? (
        <p
          aria-hidden
          className="pointer-events-none absolute z-10 flex w-max -translate-x-1/2 -translate-y-[calc(100%+6px)] items-center gap-1.5 rounded-md bg-solid px-2 py-1 text-on-solid text-xs tabular-nums shadow-floating"
          style={{ left: `${Math.min(80, Math.max(20, shown.x))}%`, top: `${shown.y}%` }}
        >
          <ValueIcon filter="country" value={shown.code} />
          {labelOf(shown.code)}
        </p>
      ) : null}
    </div>
  );
}

interface CountryShapeProps extends Pick<MapProps, "setNear"> {
  country: Country;
  /** Its clicks as a fraction of those of the top country; 0 without clicks. */
  part: number;
  label: string;
  isStop: boolean;
}

function CountryShape({ country, part, label, isStop, setNear }: CountryShapeProps) {
  const { toggle, isChosen } = useBoard();
  const { code, path } = country;
  const chosen = isChosen("country", code);
  const shared = { d: path, strokeWidth: 0.6, onMouseEnter: () => setNear(code) };
  const color = classNames(
    "fill-hover",
    chosen ? "stroke-ink" : "stroke-surface hover:stroke-ink-muted",
  );
  if (part === 0) return <path {...shared} aria-hidden className={color} />;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button cannot be a part of a drawing
    <path
      {...shared}
      role="button"
      data-country={code}
      tabIndex={isStop ? 0 : -1}
      aria-label={label}
      aria-pressed={chosen}
      onFocus={() => setNear(code)}
      onBlur={() => setNear("")}
      onClick={() => toggle("country", code)}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        toggle("country", code);
      }}
      style={{ fill: shade(part), cursor: "pointer" }}
      className={classNames(color, "outline-none focus-visible:stroke-2 focus-visible:stroke-ink")}
    />
  );
}

function FirstCountries({ placed, setNear }: MapProps) {
  const t = useTranslations("analytics");
  const format = useFormatter();
  const nameOf = useValueNames();
  const { toggle, isChosen } = useBoard();
  return (
    <ol aria-label={t("mapFirst")} className="flex max-w-full flex-wrap justify-center gap-x-1">
      {placed.slice(0, firstCountries).map(({ value, clicks }) => (
        <li key={value}>
          <button
            type="button"
            aria-pressed={isChosen("country", value)}
            // Contains the visible text, for people who speak to their computer.
            aria-label={t("filterBy", {
              name: `${nameOf("country", value)} ${format.number(clicks)}`,
            })}
            onMouseEnter={() => setNear(value)}
            onMouseLeave={() => setNear("")}
            onClick={() => toggle("country", value)}
            className="flex h-7 items-center gap-1.5 rounded-md px-2 text-sm hover:bg-hover pointer-coarse:h-10"
          >
            <ValueIcon filter="country" value={value} />
            {nameOf("country", value)}{" "}
            <span className="font-medium tabular-nums">{format.number(clicks)}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}

/** Uses square roots, because one country often has more clicks than all others together. */
function shade(part: number): string {
  return `color-mix(in oklch, var(--accent) ${Math.round(15 + 85 * Math.sqrt(part))}%, var(--hover))`;
}

type Atlas = Topology<{ countries: GeometryCollection }>;

/** Sound because the file comes from the package that defines this format. TypeScript types JSON less strictly. */
function readAtlas(file: unknown): Atlas {
  return file as Atlas;
}
