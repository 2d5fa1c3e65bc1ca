"use client";

import { useRouter } from "next/navigation";
import { useVisibleInterval } from "#components/shell/visible-interval.ts";

/** A report reads all recipients, so it is refreshed less often than the sending progress. */
const refreshEveryMs = 10_000;

export function ReportLive({ running }: { running: boolean }) {
  const router = useRouter();
  useVisibleInterval(running ? refreshEveryMs : undefined, () => router.refresh());
  return null;
}
