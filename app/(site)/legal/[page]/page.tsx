import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getLocale, getTranslations } from "next-intl/server";
import { Markdown } from "#components/site/markdown";
import { privacyPeriods } from "#lib/transfer/retention";
import type { PageOf } from "../../../pages.ts";
import { findLegalText, type LegalPage, legalPages } from "../text.ts";

async function pageOf({ params }: PageOf<"page">): Promise<LegalPage> {
  const { page } = await params;
  return legalPages.find((one) => one === page) ?? notFound();
}

export async function generateMetadata(props: PageOf<"page">): Promise<Metadata> {
  const [t, page] = await Promise.all([getTranslations("site"), pageOf(props)]);
  return { title: t(page) };
}

export default async function LegalPageView(props: PageOf<"page">) {
  const page = await pageOf(props);
  const [site, t, locale] = await Promise.all([
    getTranslations("site"),
    getTranslations("legal"),
    getLocale(),
  ]);
  const text = await findLegalText(page, locale);
  return (
    <article className="max-w-2xl">
      <h1 className="font-semibold text-2xl tracking-tight">{site(page)}</h1>
      {text === undefined ? (
        <p className="mt-4 text-ink-muted">
          {t.rich("missing", { file: `legal/${page}.md`, code: (name) => <code>{name}</code> })}
        </p>
      ) : (
        <div className="mt-4">
          <Markdown text={text} />
        </div>
      )}
      {page === "privacy" ? <StoredData /> : null}
    </article>
  );
}

const parts = [
  "visits",
  "visitors",
  "recipients",
  "kept",
  "cookies",
  "accounts",
  "deeds",
  "where",
] as const;

const periods = [
  "clicks",
  "deadClicks",
  "sessions",
  "notifications",
  "invitations",
  "reports",
  "imports",
  "exports",
] as const;

/** How long data is kept: the periods by which it is deleted. */
async function Periods() {
  const t = await getTranslations("legal.stored.periods");
  const days = privacyPeriods();
  return (
    <ul className="mt-2 list-disc pl-5">
      {periods.map((name) => (
        <li key={name}>{t(name, { days: days[name] })}</li>
      ))}
    </ul>
  );
}

/** What the program stores, in addition to the operator's text. */
async function StoredData() {
  const t = await getTranslations("legal.stored");
  return (
    <section aria-labelledby="stored" className="mt-10">
      <h2 id="stored" className="font-medium text-lg">
        {t("title")}
      </h2>
      <dl className="mt-4 grid gap-5 text-sm">
        {parts.map((part) => (
          <div key={part} className="grid gap-1">
            <dt className="font-medium">{t(`${part}.title`)}</dt>
            <dd className="text-ink-muted">
              {t(`${part}.text`)}
              {part === "kept" ? <Periods /> : null}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
