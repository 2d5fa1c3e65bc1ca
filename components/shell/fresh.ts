"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

const lookAgainMs = 2_000;

/** Asks for the page again while something is on its way, and nobody looks elsewhere. */
export function useFreshWhile(open: boolean): void {
  const router = useRouter();
  useEffect(() => {
    if (!open) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") router.refresh();
    }, lookAgainMs);
    return () => clearInterval(timer);
  }, [open, router]);
}
