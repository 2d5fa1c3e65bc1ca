"use client";

import { useRouter } from "next/navigation";
import { useRepeat } from "./repeat.ts";

const lookAgainMs = 2_000;

/** Asks for the page again while something is on its way, and nobody looks elsewhere. */
export function useFreshWhile(open: boolean): void {
  const router = useRouter();
  useRepeat(open ? lookAgainMs : undefined, () => router.refresh());
}
