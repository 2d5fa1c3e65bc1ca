"use client";

import { useTranslations } from "next-intl";
import { useId } from "react";
import { useFileDrop } from "#components/forms/use-file-drop.ts";
import { Button } from "#components/ui/button";
import { classNames } from "#components/ui/class-names.ts";

interface FileDropProps {
  disabled: boolean;
  onFile: (file: File) => void;
}

/** A dropped or chosen file. */
export function FileDrop({ disabled, onFile }: FileDropProps) {
  const t = useTranslations("recipients");
  const hint = useId();
  const { area, field, isOver, choose } = useFileDrop({ disabled, onFile });
  return (
    <section
      aria-label={t("upload")}
      {...area}
      className={classNames(
        "grid justify-items-center gap-3 rounded-lg border border-line border-dashed px-4 py-8 text-center",
        isOver && "border-accent bg-hover",
      )}
    >
      <p className="font-medium text-sm">{t("dropHere")}</p>
      <p id={hint} className="max-w-md text-balance text-ink-muted text-sm">
        {t("uploadHint")}
      </p>
      <input {...field} aria-label={t("file")} aria-describedby={hint} />
      <Button variant="solid" disabled={disabled} onClick={choose}>
        {t("choose")}
      </Button>
    </section>
  );
}
