"use client";

import { useEffect, useEffectEvent } from "react";

/**
 * Repeats a refresh while the page is visible; undefined: stopped.
 *
 * Pages come with their data, and what is repeated refreshes them or sends a POST, so the cache of swr would stay empty:
 * 6.7 KB of compressed scripts on every page of the dashboard for these lines.
 */
export function useVisibleInterval(everyMs: number | undefined, run: () => void): void {
  const runNow = useEffectEvent(run);
  useEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") runNow();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
}
