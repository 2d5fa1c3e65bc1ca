"use client";

import { Megaphone, TriangleAlert, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { type FormAnswer, useAction } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { classNames } from "#components/ui/class-names.ts";
import type { ShownAnnouncement } from "#lib/tenancy/announcements/schema";

interface AnnouncementBannerProps {
  announcements: readonly ShownAnnouncement[];
  close: (id: string) => Promise<FormAnswer<null>>;
}

export function AnnouncementBanner({ announcements, close }: AnnouncementBannerProps) {
  const t = useTranslations("announcements");
  const runAction = useAction();
  const [closed, setClosed] = useState<readonly string[]>([]);
  const shown = announcements.filter(({ id }) => !closed.includes(id));
  if (shown.length === 0) return null;

  async function hide(id: string) {
    setClosed((before) => [...before, id]);
    if (await runAction(() => close(id))) return;
    setClosed((before) => before.filter((one) => one !== id));
  }

  return (
    <section aria-label={t("label")} className="mb-6 grid gap-2">
      {shown.map(({ id, text, url, level }) => {
        const Icon = level === "warning" ? TriangleAlert : Megaphone;
        return (
          <div
            key={id}
            className={classNames(
              "flex items-start gap-3 rounded-xl border border-line p-3 text-sm",
              level === "warning" ? "bg-danger-soft" : "bg-sunken",
            )}
          >
            <Icon aria-hidden className="mt-1 size-4 shrink-0 text-ink-muted" />
            <p className="min-w-0 flex-1 break-words py-0.5">
              {text}{" "}
              {url === null ? null : (
                <a
                  href={url}
                  target="_blank"
                  rel="noopener noreferrer"
                  className="whitespace-nowrap underline"
                >
                  {t("learnMore")}
                </a>
              )}
            </p>
            <Button
              size="icon"
              variant="ghost"
              aria-label={t("close", { text })}
              onClick={() => hide(id)}
            >
              <X aria-hidden />
            </Button>
          </div>
        );
      })}
    </section>
  );
}
