"use client";

import { ArrowRight, Check } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { type FormAction, useForm } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { CopyButton } from "#components/ui/copy-button";
import { Input } from "#components/ui/input";
import { doWork } from "./work.ts";

/** Where the link of the box is created: in a workspace now, there after signing in, or without an account. */
type Way = "now" | "later" | "publicly";

/** A created link and a page to go on with, or the page where the person continues. */
type ShortenResult =
  | { made: true; shortLink: string; way: Exclude<Way, "later">; next: string }
  | { made: false; goTo: string };
/** The browser has to work before it gets a link without an account. */
export type ShortenAnswer = ShortenResult | { made: false; challenge: string };

interface ShortenBoxProps {
  shorten: FormAction<ShortenAnswer>;
  way: Way;
  /** How long a link without an account works. */
  days: number;
}

/** Works on a challenge and sends the form again. */
function withWork(shorten: FormAction<ShortenAnswer>): FormAction<ShortenResult> {
  return async (data) => {
    const answer = await shorten(data);
    if (!answer.ok) return answer;
    const { done } = answer;
    if (!("challenge" in done)) return { ok: true, done };
    const work = await doWork(done.challenge);
    data.set(work ? "work" : "later", work ?? "on");
    const last = await shorten(data);
    if (!last.ok) return last;
    return "challenge" in last.done
      ? { ok: false, form: "unknown" }
      : { ok: true, done: last.done };
  };
}

export function ShortenBox({ shorten, way, days }: ShortenBoxProps) {
  const t = useTranslations("landing.box");
  const id = useId();
  const [created, setCreated] = useState<Extract<ShortenResult, { made: true }>>();
  const { form, pending, error, errorOf, typed } = useForm(withWork(shorten), (done) => {
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
          <span className="text-ink-muted">{t(way, { days })}</span>
        )}
        {created ? <CreatedLinkView {...created} days={days} /> : null}
      </p>
    </div>
  );
}

type CreatedLinkViewProps = Extract<ShortenResult, { made: true }> & { days: number };

function CreatedLinkView({ shortLink, way, next, days }: CreatedLinkViewProps) {
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
      {way === "publicly" ? <span className="text-ink-muted">{t("working", { days })}</span> : null}
      <Link href={next} className="rounded-sm text-ink-muted hover:text-ink">
        {t(way === "publicly" ? "signUp" : "links")}
      </Link>
    </span>
  );
}
