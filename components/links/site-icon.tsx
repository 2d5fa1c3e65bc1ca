"use client";

import { useEffect, useState } from "react";
import { Avatar } from "#components/ui/avatar";
import { classNames } from "#components/ui/class-names.ts";
import { parseUrl } from "#lib/basics/urls/schema";
import { hostOf } from "./names.ts";

interface SiteIconProps {
  workspace: string;
  url: string;
  className: string;
}

/** The icon of a destination's site, or its letter until that is loaded and where there is none. */
export function SiteIcon({ workspace, url, className }: SiteIconProps) {
  // Requested only after hydration: sites are slow, and the page would wait for them.
  const [alive, setAlive] = useState(false);
  const [loaded, setLoaded] = useState(false);
  useEffect(() => setAlive(true), []);
  const site = parseUrl(url)?.origin ?? "null";
  const params = new URLSearchParams({ site });
  return (
    <span className={classNames("relative shrink-0", className)}>
      <Avatar
        name={hostOf(url)}
        className={classNames("size-full rounded-lg text-sm", loaded && "invisible")}
      />
      {alive && site !== "null" ? (
        // biome-ignore lint/performance/noImgElement: already small, and usually cached
        <img
          src={`/app/${workspace}/site-icons?${params}`}
          alt=""
          loading="lazy"
          decoding="async"
          onLoad={() => setLoaded(true)}
          className={classNames(
            "absolute inset-0 size-full rounded-lg border border-line bg-surface object-contain p-1",
            !loaded && "opacity-0",
          )}
        />
      ) : null}
    </span>
  );
}
