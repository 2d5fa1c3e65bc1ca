"use client";

import { QrCode } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useShortcut } from "#components/shell/shortcuts";
import { Button } from "#components/ui/button";

interface CodeCardProps {
  /** The image as a data URL; "" when the default design cannot contain the URL. */
  picture: string;
  address: string;
  href: string;
}

export function CodeCard({ picture, address, href }: CodeCardProps) {
  const t = useTranslations("qr");
  const router = useRouter();
  useShortcut("code", () => router.push(href));
  return (
    <section
      aria-labelledby="code-heading"
      className="grid content-start gap-3 rounded-xl border border-line bg-surface p-4"
    >
      <h2 id="code-heading" className="font-medium text-sm">
        {t("code")}
      </h2>
      <div className="flex items-center gap-4">
        {picture ? (
          // biome-ignore lint/performance/noImgElement: a data URL needs no loader
          <img
            src={picture}
            alt={t("pictureOf", { address })}
            className="max-h-32 w-24 rounded-sm border border-line object-contain"
          />
        ) : null}
        <div className="grid justify-items-start gap-2">
          <p className="text-ink-muted text-sm">{t("lasting")}</p>
          <Button asChild>
            <Link href={href}>
              <QrCode aria-hidden />
              {t("open")}
            </Link>
          </Button>
        </div>
      </div>
    </section>
  );
}
