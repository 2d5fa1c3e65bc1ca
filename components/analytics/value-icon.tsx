"use client";

import { Globe } from "lucide-react";
import dynamic from "next/dynamic";
import { parseUrl } from "#lib/basics/urls/schema";
import type { FilterName } from "./board-query.ts";
import type { BrandKind } from "./brand-icon.tsx";

const nothing = () => null;
// Loaded after the numbers, and only on pages that show them.
const Flag = dynamic(() => import("./flag.tsx").then((one) => one.Flag), {
  ssr: false,
  loading: nothing,
});
const BrandIcon = dynamic(() => import("./brand-icon.tsx").then((one) => one.BrandIcon), {
  ssr: false,
  loading: nothing,
});

const places: readonly FilterName[] = ["country", "region", "city"];
const brands: Partial<Record<FilterName, BrandKind>> = {
  browser: "browser",
  os: "os",
  referer: "site",
  refererUrl: "site",
};
const unnamed = /^(\(.*\)|unknown|\*|)$/i;

interface ValueIconProps {
  filter: FilterName;
  value: string;
  country?: string;
}

/** A flag, a known icon or a letter beside a name; decorative. Nothing is requested from other hosts. */
export function ValueIcon({ filter, value, country = value }: ValueIconProps) {
  if (places.includes(filter)) {
    return (
      <span aria-hidden className="grid h-3 w-4.5 shrink-0">
        {/^[A-Z]{2}$/.test(country) ? <Flag country={country} /> : null}
      </span>
    );
  }
  const kind = brands[filter];
  if (!kind) return null;
  return (
    <span aria-hidden className="grid size-4 shrink-0">
      {unnamed.test(value) ? (
        <Globe className="size-4 text-ink-faint" />
      ) : (
        <BrandIcon kind={kind} name={kind === "site" ? hostOf(value) : value} />
      )}
    </span>
  );
}

function hostOf(value: string): string {
  const url = value.includes("://") ? value : `https://${value}`;
  return parseUrl(url)?.hostname.replace(/^www\./, "") ?? value;
}
