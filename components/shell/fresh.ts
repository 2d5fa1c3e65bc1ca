"use client";

import { useRouter } from "next/navigation";
import { useRepeat } from "./repeat.ts";

const lookAgainMs = 2_000;

/** Refreshes the page while something is running and the page is visible. */
export function useFreshWhile(open: boolean): void {
  const router = useRouter();
  useRepeat(open ? lookAgainMs : undefined, () => router.refresh());
}
