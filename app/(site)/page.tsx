import { Check } from "lucide-react";
import Link from "next/link";
import { getLocale, getMessages, getTranslations } from "next-intl/server";
import { PlanTable } from "#components/plans/plan-table";
import { Picture } from "#components/site/picture";
import { ShortenBox } from "#components/site/shorten-box";
import { Button } from "#components/ui/button";
import { isShortenerOn } from "#lib/links/public-links";
import { publicLinkDays } from "#lib/links/public-links/schema";
import { offersSupport } from "#lib/tenancy/support";
import { demoSlug } from "#lib/tenancy/workspaces/schema";
import { Texts } from "../pages.tsx";
import { hasPrices, listPlans } from "../plans.ts";
import { getTheme } from "../preferences.ts";
import { shortenAction } from "./actions.ts";
import { Comparison } from "./comparison.tsx";
import { pictures } from "./landing-pictures.ts";
import { findVisitor, isDemoPublic } from "./visitor.ts";

/** In the order of the page, each with the guide for the readers whom it addresses. */
const sections = [
  { name: "marketers", guide: "marketers" },
  { name: "qr", guide: null },
  { name: "sms", guide: "sms" },
  { name: "administrators", guide: "operators" },
] as const;

interface SectionTexts {
  title: string;
  text: string;
  facts: Readonly<Record<string, string>>;
  guide?: string;
  /** Describes the picture. */
  label: string;
}

export default async function LandingPage() {
  const [t, user, isPublic, hasDemo] = await Promise.all([
    getTranslations("landing"),
    findVisitor(),
    isShortenerOn(),
    isDemoPublic(),
  ]);
  const way = isPublic ? "publicly" : "later";
  return (
    <div className="grid gap-16 md:gap-20">
      <div className="grid gap-8">
        <div>
          <h1 className="text-balance font-semibold text-3xl tracking-tight [word-break:keep-all] sm:text-4xl">
            {t("heading")}
          </h1>
          <p className="mt-5 max-w-2xl text-ink-muted text-lg">{t("lead")}</p>
        </div>
        <div className="max-w-2xl">
          <Texts of={["landing.box"]}>
            <ShortenBox shorten={shortenAction} way={user ? "now" : way} days={publicLinkDays} />
          </Texts>
          {hasDemo && !user ? (
            <Button asChild className="mt-4">
              <Link href={`/app/${demoSlug}/links`} prefetch={false}>
                {t("demo")}
              </Link>
            </Button>
          ) : null}
        </div>
      </div>
      <Sections />
      <Comparison />
      {hasPrices() ? <Plans /> : null}
    </div>
  );
}

async function Sections() {
  const [messages, theme, locale] = await Promise.all([getMessages(), getTheme(), getLocale()]);
  return sections.map(({ name, guide }, at) => {
    const texts: SectionTexts = messages.landing.sections[name];
    const isLeft = at % 2 === 0;
    return (
      <section
        key={name}
        aria-labelledby={name}
        className={`grid gap-5 md:items-center md:gap-10 ${isLeft ? "md:grid-cols-[3fr_2fr]" : "md:grid-cols-[2fr_3fr]"}`}
      >
        <Picture {...pictures[name][locale]} theme={theme} label={texts.label} first={at === 0} />
        <div className={isLeft ? "" : "md:order-first"}>
          <h2 id={name} className="font-semibold text-xl tracking-tight">
            {texts.title}
          </h2>
          <p className="mt-2 text-ink-muted">{texts.text}</p>
          <ul className="mt-4 grid gap-2 text-sm">
            {Object.values(texts.facts).map((fact) => (
              <li key={fact} className="flex gap-2">
                <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
                {fact}
              </li>
            ))}
          </ul>
          {guide ? (
            <Link
              href={`/docs/${guide}`}
              className="mt-4 inline-block underline underline-offset-4 hover:text-accent"
            >
              {texts.guide}
            </Link>
          ) : null}
        </div>
      </section>
    );
  });
}

async function Plans() {
  const t = await getTranslations("landing");
  return (
    <section aria-labelledby="plans" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <h2 id="plans" className="font-semibold text-xl tracking-tight">
        {t("plans")}
      </h2>
      <PlanTable plans={listPlans()} offersSupport={offersSupport()} />
      <p className="text-ink-muted text-sm">
        {t.rich("plansNote", {
          more: (text) => (
            <Link href="/pricing" className="underline underline-offset-4 hover:text-accent">
              {text}
            </Link>
          ),
        })}
      </p>
    </section>
  );
}
