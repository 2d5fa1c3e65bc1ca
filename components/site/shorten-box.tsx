"use client";

import { ArrowRight, Check } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { type FormAction, useForm } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { CopyButton } from "#components/ui/copy-button";
import { Input } from "#components/ui/input";

/** A created link, or the page where the person continues. */
export type ShortenResult =
  | { made: true; shortLink: string; links: string }
  | { made: false; goTo: string };

interface ShortenBoxProps {
  shorten: FormAction<ShortenResult>;
  /** True without a session: the link is created after signing in. */
  later: boolean;
}

export function ShortenBox({ shorten, later }: ShortenBoxProps) {
  const t = useTranslations("landing.box");
  const id = useId();
  const [created, setCreated] = useState<Extract<ShortenResult, { made: true }>>();
  const { form, pending, error, errorOf, typed } = useForm(shorten, (done) => {
    if (done.made) setCreated(done);
    else window.location.assign(done.goTo);
  });
  const message = errorOf("url") ?? error;
  return (
    <div className="grid gap-2">
      <form {...form} className="flex flex-wrap gap-2 sm:flex-nowrap">
        <label htmlFor={id} className="sr-only">
          {t("label")}
        </label>
        <Input
          key={created?.shortLink ?? ""}
          id={id}
          name="url"
          type="url"
          inputMode="url"
          autoComplete="off"
          required
          placeholder={t("placeholder")}
          defaultValue={typed("url")}
          aria-invalid={message ? true : undefined}
          aria-describedby={`${id}-note`}
          className="h-10 min-w-0 flex-1 basis-60"
        />
        <Button type="submit" variant="solid" size="lg" pending={pending} className="max-sm:w-full">
          {t("shorten")}
          <ArrowRight aria-hidden />
        </Button>
      </form>
      {/* Always one line high, so that an answer shifts nothing. */}
      <p id={`${id}-note`} role={message ? "alert" : undefined} className="min-h-10 text-sm">
        {message ? (
          <span className="text-danger">{message}</span>
        ) : created ? null : (
          <span className="text-ink-muted">{t(later ? "later" : "now")}</span>
        )}
        {created ? <CreatedLinkView {...created} /> : null}
      </p>
    </div>
  );
}

function CreatedLinkView({ shortLink, links }: { shortLink: string; links: string }) {
  const t = useTranslations("landing.box");
  return (
    <span role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Check aria-hidden className="size-4 text-accent" />
      <a href={shortLink} className="break-all font-medium underline underline-offset-4">
        {shortLink}
      </a>
      <CopyButton text={shortLink} label={t("copy")}>
        {t("copy")}
      </CopyButton>
      <Link href={links} className="rounded-sm text-ink-muted hover:text-ink">
        {t("links")}
      </Link>
    </span>
  );
}
