"use client";

import { Plus, Unlink } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Button } from "#components/ui/button";
import { ExportMenu } from "#components/ui/export-menu";
import { useLinkCreator } from "./creator-context.ts";

export function CreateLinkButton() {
  const t = useTranslations("links");
  const { openCreator } = useLinkCreator();
  if (!openCreator) return null;
  return (
    <Button variant="solid" onClick={() => openCreator()} aria-keyshortcuts="c">
      <Plus aria-hidden />
      {t("create")}
    </Button>
  );
}

export function MissedLinks({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Button asChild variant="ghost">
      <Link href={href} prefetch={false}>
        <Unlink aria-hidden />
        <span className="max-sm:sr-only">{children}</span>
      </Link>
    </Button>
  );
}

interface ExportLinksProps {
  label: string;
  title: string;
  href: string;
}

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
