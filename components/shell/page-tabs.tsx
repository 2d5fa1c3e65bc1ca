"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { classNames } from "#components/ui/class-names.ts";

interface PageTabsProps {
  label: string;
  tabs: readonly { href: string; text: string }[];
}

/** Pages that belong together, above their headings. */
export function PageTabs({ label, tabs }: PageTabsProps) {
  const path = usePathname();
  return (
    <nav aria-label={label} className="mb-5 flex gap-4 border-line border-b">
      {tabs.map(({ href, text }) => (
        <Link
          key={href}
          href={href}
          aria-current={path === href ? "page" : undefined}
          className={classNames(
            "-mb-px border-b-2 py-2 text-sm transition-colors",
            path === href
              ? "border-accent font-medium text-ink"
              : "border-transparent text-ink-muted hover:text-ink",
          )}
        >
          {text}
        </Link>
      ))}
    </nav>
  );
}
