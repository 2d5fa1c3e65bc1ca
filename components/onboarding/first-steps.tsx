"use client";

import { Check, ExternalLink, X } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { startTransition, useState } from "react";
import { useLinkCreator } from "#components/links/creator-context.ts";
import { withoutScheme } from "#components/links/names.ts";
import { Button } from "#components/ui/button";
import { classNames } from "#components/ui/class-names.ts";
import { CopyButton } from "#components/ui/copy-button";

export interface FirstStepsProps {
  steps: Readonly<Record<"link" | "click" | "share", boolean>>;
  base: string;
  /** The newest link. Undefined if there is none, or if it was already opened. */
  shortLink: string | undefined;
  close: () => Promise<void>;
}

export function FirstSteps({ steps, base, shortLink, close }: FirstStepsProps) {
  const t = useTranslations("steps");
  const path = usePathname();
  const { openCreator } = useLinkCreator();
  const [closed, setClosed] = useState(false);
  if (closed || path !== `${base}/links`) return null;
  const items = [
    {
      name: "link",
      act: openCreator ? (
        <Button size="sm" onClick={() => openCreator()}>
          {t("link.act")}
        </Button>
      ) : null,
    },
    { name: "click", act: shortLink === undefined ? null : <OpenLink shortLink={shortLink} /> },
    {
      name: "share",
      act: (
        <Button asChild size="sm">
          <Link href={`${base}/settings/members`}>{t("share.act")}</Link>
        </Button>
      ),
    },
  ] as const;
  return (
    <section
      aria-labelledby="first-steps"
      className="mb-6 rounded-xl border border-line bg-sunken p-4"
    >
      <div className="flex items-center justify-between gap-3">
        <h2 id="first-steps" className="font-semibold text-base">
          {t("heading")}
        </h2>
        <Button
          variant="ghost"
          size="icon"
          aria-label={t("close")}
          onClick={() => {
            setClosed(true);
            startTransition(() => close());
          }}
        >
          <X aria-hidden />
        </Button>
      </div>
      <ol className="mt-3 grid gap-3 sm:grid-cols-3">
        {items.map(({ name, act }, at) => (
          <li key={name} className="flex min-w-0 gap-2.5">
            <Mark done={steps[name]} number={at + 1} label={t(steps[name] ? "done" : "open")} />
            <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] content-start justify-items-start gap-1.5 text-sm">
              <p className={classNames("font-medium", steps[name] && "text-ink-muted")}>
                {t(`${name}.title`)}
              </p>
              <p className="text-ink-muted">{t(`${name}.text`)}</p>
              {steps[name] ? null : act}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

function OpenLink({ shortLink }: { shortLink: string }) {
  const t = useTranslations("steps.click");
  const link = withoutScheme(shortLink);
  return (
    <>
      <p className="flex max-w-full items-center gap-1">
        <span className="min-w-0 truncate font-medium" dir="ltr">
          {link}
        </span>
        <CopyButton text={shortLink} label={t("copy", { link })} className="size-8" />
      </p>
      <Button asChild size="sm">
        <a href={shortLink} target="_blank" rel="noopener">
          <ExternalLink aria-hidden />
          {t("act")}
        </a>
      </Button>
    </>
  );
}

function Mark({ done, number, label }: { done: boolean; number: number; label: string }) {
  return (
    <span
      role="img"
      aria-label={label}
      className={classNames(
        "grid size-5 shrink-0 place-items-center rounded-full border border-line-strong text-xs tabular-nums",
        done && "border-accent bg-accent text-canvas",
      )}
    >
      {done ? <Check aria-hidden className="size-3" strokeWidth={3} /> : number}
    </span>
  );
}
