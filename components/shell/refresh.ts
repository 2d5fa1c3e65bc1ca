"use client";

import { useRouter } from "next/navigation";
import { useVisibleInterval } from "./visible-interval.ts";

const refreshEveryMs = 2_000;

/** Refreshes the page while something is running and the page is visible. */
export function useRefreshWhile(open: boolean): void {
  const router = useRouter();
  useVisibleInterval(open ? refreshEveryMs : undefined, () => router.refresh());
}
