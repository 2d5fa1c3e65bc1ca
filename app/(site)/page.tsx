import { EyeOff, ListChecks, SquareTerminal } from "lucide-react";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { PlanTable } from "#components/plans/plan-table";
import { Picture } from "#components/site/picture";
import { ShortenBox } from "#components/site/shorten-box";
import { isShortenerOn } from "#lib/links/public-links";
import { publicLinkDays } from "#lib/links/public-links/schema";
import { offersSupport } from "#lib/tenancy/support";
import analytics from "../../docs/pictures/analytics.webp";
import analyticsDark from "../../docs/pictures/analytics-dark.webp";
import links from "../../docs/pictures/links.webp";
import linksDark from "../../docs/pictures/links-dark.webp";
import linksPhone from "../../docs/pictures/links-phone.webp";
import linksPhoneDark from "../../docs/pictures/links-phone-dark.webp";
import qr from "../../docs/pictures/qr.webp";
import qrDark from "../../docs/pictures/qr-dark.webp";
import { Texts } from "../pages.tsx";
import { hasPrices, listPlans } from "../plans.ts";
import { getTheme } from "../preferences.ts";
import { shortenAction } from "./actions.ts";
import { findVisitor } from "./visitor.ts";

const pictures = [
  { name: "analytics", light: analytics, dark: analyticsDark },
  { name: "qr", light: qr, dark: qrDark },
] as const;

export default async function LandingPage() {
  const [t, theme, user, isPublic] = await Promise.all([
    getTranslations("landing"),
    getTheme(),
    findVisitor(),
    isShortenerOn(),
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
        </div>
      </div>
      <figure className="-mt-8 grid gap-5 md:-mt-10" aria-labelledby="links">
        <Picture
          light={links}
          dark={linksDark}
          phone={{ light: linksPhone, dark: linksPhoneDark }}
          theme={theme}
          label={t("pictures.links.label")}
          first
        />
        <figcaption className="max-w-2xl">
          <h2 id="links" className="font-semibold text-xl tracking-tight">
            {t("pictures.links.title")}
          </h2>
          <p className="mt-2 text-ink-muted">{t("pictures.links.text")}</p>
        </figcaption>
      </figure>
      <Facts />
      {pictures.map(({ name, light, dark }) => (
        <section key={name} aria-labelledby={name} className="grid gap-5">
          <div className="max-w-2xl">
            <h2 id={name} className="font-semibold text-xl tracking-tight">
              {t(`pictures.${name}.title`)}
            </h2>
            <p className="mt-2 text-ink-muted">{t(`pictures.${name}.text`)}</p>
          </div>
          <Picture light={light} dark={dark} theme={theme} label={t(`pictures.${name}.label`)} />
        </section>
      ))}
      {hasPrices() ? <Plans /> : null}
    </div>
  );
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

async function Facts() {
  const t = await getTranslations("landing.facts");
  const facts = [
    { title: t("countTitle"), text: t("count"), Icon: ListChecks },
    { title: t("privateTitle"), text: t("private"), Icon: EyeOff },
    { title: t("openTitle"), text: t("open"), Icon: SquareTerminal },
  ];
  return (
    <ul className="grid gap-8 border-line border-t pt-10 sm:grid-cols-3">
      {facts.map(({ title, text, Icon }) => (
        <li key={title} className="grid content-start gap-1.5">
          <Icon aria-hidden className="mb-1 size-4 text-accent" />
          <h2 className="font-medium text-base">{title}</h2>
          <p className="text-ink-muted text-sm">{text}</p>
        </li>
      ))}
    </ul>
  );
}
