"use client";

import { RotateCw } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Button } from "#components/ui/button";
import { classNames } from "#components/ui/class-names.ts";
import { Skeleton } from "#components/ui/skeleton";

interface CardProps {
  id: string;
  heading: string;
  children?: ReactNode;
  body: ReactNode;
  className?: string;
}

export function Card({ id, heading, children, body, className }: CardProps) {
  return (
    <section
      aria-labelledby={`${id}-heading`}
      className={classNames("min-w-0 rounded-xl border border-line bg-surface", className)}
    >
      <div className="flex min-h-13 flex-wrap items-center gap-x-3 gap-y-2 border-line border-b px-4 py-2.5">
        <h2 id={`${id}-heading`} className="mr-auto font-medium text-sm">
          {heading}
        </h2>
        {children}
      </div>
      {body}
    </section>
  );
}

export function LoadError({ retry, className }: { retry: () => void; className?: string }) {
  const t = useTranslations("analytics");
  return (
    <div
      role="alert"
      className={classNames(
        "grid content-center justify-items-center gap-3 px-4 text-center",
        className,
      )}
    >
      <p className="text-ink-muted text-sm">{t("failed")}</p>
      <Button size="sm" onClick={retry}>
        <RotateCw aria-hidden />
        {t("retry")}
      </Button>
    </div>
  );
}

export function NoData({ className }: { className?: string }) {
  const t = useTranslations("analytics");
  return (
    <p
      className={classNames(
        "grid place-items-center px-4 text-center text-ink-muted text-sm",
        className,
      )}
    >
      {t("nothing")}
    </p>
  );
}

const widths = ["w-4/5", "w-3/5", "w-1/2", "w-2/5", "w-2/5", "w-1/3", "w-1/4", "w-1/5"];

export function LoadingRows() {
  const t = useTranslations("common");
  return (
    <div className="grid content-start gap-1 px-4 pt-9">
      <p role="status" className="sr-only">
        {t("loading")}
      </p>
      {widths.map((width, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike
        <div key={at} className="flex h-8 items-center">
          <Skeleton className={classNames("h-6", width)} />
        </div>
      ))}
    </div>
  );
}
