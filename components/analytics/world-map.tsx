"use client";

import { geoNaturalEarth1, geoPath } from "d3-geo";
import { iso31661 } from "iso-3166";
import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";
import { feature } from "topojson-client";
import atlas from "world-atlas/countries-110m.json";
import { useBoard } from "./board-state.tsx";
import { cards } from "./groupings.ts";
import type { ValueCount } from "./read-answer.ts";
import { useValueNames } from "./value-names.ts";
import { ValueTable } from "./value-table.tsx";
import { readAtlas } from "./world-atlas.ts";

const width = 640;
const height = 318;
const antarctica = "010";

interface Country {
  code: string;
  path: string;
}

let drawn: Country[] | undefined;

/** All countries as paths. Computed once: the projection is expensive. */
function drawCountries(): Country[] {
  const world = readAtlas(atlas);
  const lands = feature(world, world.objects.countries);
  const seen = { ...lands, features: lands.features.filter(({ id }) => id !== antarctica) };
  const path = geoPath(geoNaturalEarth1().fitSize([width, height], seen)).digits(1);
  const codes = new Map(iso31661.map(({ numeric, alpha2 }) => [numeric, alpha2]));
  return seen.features.map((one) => ({
    code: codes.get(String(one.id)) ?? "",
    path: path(one) ?? "",
  }));
}

/** Countries colored by their clicks. The table behind it is for the keyboard and for screen readers. */
export function WorldMap({ rows }: { rows: readonly ValueCount[] }) {
  const t = useTranslations("analytics");
  const format = useFormatter();
  const nameOf = useValueNames();
  const { toggle, isChosen } = useBoard();
  const [near, setNear] = useState("");
  drawn ??= drawCountries();
  // Clicks from unknown locations are not on the map.
  const placed = rows.filter(({ value }) => /^[A-Z]{2}$/.test(value));
  const clicks = new Map(placed.map((row) => [row.value, row.clicks]));
  const most = Math.max(1, ...clicks.values());
  const [, countries] = cards.places;
  return (
    <div className="relative flex h-full flex-col p-4">
      <svg
        aria-hidden
        viewBox={`0 0 ${width} ${height}`}
        className="min-h-0 w-full flex-1"
        onMouseLeave={() => setNear("")}
      >
        {drawn.map(({ code, path }) => {
          const count = clicks.get(code) ?? 0;
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: hidden from all but pointers; the table has buttons
            <path
              key={`${code} ${path.slice(0, 24)}`}
              d={path}
              onMouseEnter={() => setNear(code)}
              onClick={() => (count > 0 ? toggle("country", code) : undefined)}
              style={count > 0 ? { fill: shade(count / most), cursor: "pointer" } : undefined}
              className={
                isChosen("country", code)
                  ? "fill-hover stroke-ink"
                  : "fill-hover stroke-surface hover:stroke-ink-muted"
              }
              strokeWidth={0.6}
            />
          );
        })}
      </svg>
      <p aria-hidden className="h-5 truncate text-center text-ink-muted text-xs tabular-nums">
        {near
          ? `${nameOf("country", near)} · ${t("clickCount", { count: clicks.get(near) ?? 0 })}`
          : placed.length > 0
            ? t("mapHint", { most: format.number(most) })
            : t(rows.length > 0 ? "mapUnknown" : "nothing")}
      </p>
      <div className="sr-only">
        <ValueTable grouping={countries} rows={rows} of={rows} />
      </div>
    </div>
  );
}

/** Square roots, because one country often has more clicks than all others together. */
function shade(part: number): string {
  return `color-mix(in oklch, var(--accent) ${Math.round(15 + 85 * Math.sqrt(part))}%, var(--hover))`;
}
