"use client";

import { ChevronLeft } from "lucide-react";
import type { ReactNode } from "react";
import { PrefetchLink } from "./prefetch-link.tsx";

export function BackLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <PrefetchLink
      href={href}
      className="mb-3 -ml-1 inline-flex items-center gap-1 rounded-sm text-ink-muted text-sm hover:text-ink"
    >
      <ChevronLeft aria-hidden className="size-4" />
      {children}
    </PrefetchLink>
  );
}
