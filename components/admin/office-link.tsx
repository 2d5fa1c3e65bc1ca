import Link from "next/link";
import type { ReactNode } from "react";

/** A link to a page of the back office. Never prefetched: opening a page is recorded. */
export function OfficeLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link
      href={href}
      prefetch={false}
      className="rounded-sm underline decoration-line-strong underline-offset-4 hover:decoration-current"
    >
      {children}
    </Link>
  );
}
