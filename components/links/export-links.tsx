"use client";

import { ExportMenu } from "#components/ui/export-menu";

interface ExportLinksProps {
  label: string;
  title: string;
  href: string;
}

/** All links of the list as a file. */
export function ExportLinks({ label, title, href }: ExportLinksProps) {
  return (
    <ExportMenu
      label={<span className="max-sm:sr-only">{label}</span>}
      title={title}
      formats={["csv", "xlsx"]}
      hrefOf={(format) => `${href}&format=${format}`}
    />
  );
}
