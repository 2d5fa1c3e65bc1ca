"use client";

import * as drawings from "country-flag-icons/string/3x2";

const flags: Readonly<Record<string, string | undefined>> = { ...drawings };

/** The flag of a country as a drawing, because some systems have no flag emoji. */
export function Flag({ country }: { country: string }) {
  const drawing = flags[country];
  if (drawing === undefined) return null;
  return (
    // biome-ignore lint/performance/noImgElement: an inline drawing of a few hundred bytes
    <img
      src={`data:image/svg+xml,${encodeURIComponent(drawing)}`}
      alt=""
      className="size-full rounded-[2px] object-cover"
    />
  );
}
