"use client";

import { FlaskConical } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useState, useTransition } from "react";
import { loadPage } from "#components/auth/load-page.ts";
import { type FormAnswer, useAction } from "#components/forms/form";
import { PageBanner } from "#components/shell/page-banner";
import { Button } from "#components/ui/button";
import { ConfirmDialog } from "#components/ui/confirm-dialog";

interface DemoBannerProps {
  own: string | null;
  days: number;
  remove: (() => Promise<FormAnswer<null>>) | null;
}

export function DemoBanner({ own, days, remove }: DemoBannerProps) {
  const t = useTranslations("demo");
  const runAction = useAction();
  const [open, setOpen] = useState(false);
  const [pending, start] = useTransition();
  return (
    <PageBanner id="demo" Icon={FlaskConical} heading={t("heading")} text={t("text")}>
      <div className="flex flex-wrap gap-2">
        {remove ? (
          <Button pending={pending} onClick={() => setOpen(true)}>
            {t("remove")}
          </Button>
        ) : null}
        <Button asChild variant="solid">
          <Link href={own === null ? "/app/new" : `/app/${own}/links`}>
            {t(own === null ? "create" : "leave")}
          </Link>
        </Button>
      </div>
      {remove ? (
        <ConfirmDialog
          open={open}
          onOpenChange={setOpen}
          title={t("removeTitle")}
          action={t("remove")}
          onConfirm={() =>
            start(async () => {
              if (await runAction(remove)) loadPage("/app");
            })
          }
        >
          {t("removeText", { days })}
        </ConfirmDialog>
      ) : null}
    </PageBanner>
  );
}
