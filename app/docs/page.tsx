import Link from "next/link";
import { getLocale, getTranslations } from "next-intl/server";
import { type PageQuery, titleOf } from "../pages.tsx";
import { openDocsIndex } from "./entries.ts";
import { listShownGuides } from "./shown-guides.ts";

const textCharsMax = 100;
const resultsMax = 20;

export const generateMetadata = titleOf("guides.title");

/** Lists all guides. After a search without JavaScript, the results come first. */
export default async function DocsPage({ searchParams }: PageQuery) {
  const { q } = await searchParams;
  const text = typeof q === "string" ? q.trim().slice(0, textCharsMax) : "";
  const [t, reference, links] = await Promise.all([
    getTranslations("guides"),
    getTranslations("reference"),
    getTranslations("linkGuide"),
  ]);
  const pages = [
    ...listShownGuides().map((guide) => ({
      href: `/docs/${guide}`,
      title: t(guide),
      text: t(`about.${guide}`),
    })),
    { href: "/docs/links", title: links("title"), text: t("about.links") },
    { href: "/docs/api", title: reference("title"), text: t("about.api") },
  ];
  return (
    <main id="content" className="max-w-3xl pt-8">
      <h1 className="font-semibold text-2xl tracking-tight">{t("title")}</h1>
      {text === "" ? null : <Results text={text} />}
      <ul className="mt-6 grid gap-3 sm:grid-cols-2">
        {pages.map(({ href, title, text }) => (
          <li key={href}>
            <Link
              href={href}
              className="grid h-full content-start gap-1 rounded-xl border border-line bg-surface p-5 transition-colors hover:bg-hover"
            >
              <span className="font-medium text-base">{title}</span>
              <span className="text-ink-muted text-sm">{text}</span>
            </Link>
          </li>
        ))}
      </ul>
    </main>
  );
}

async function Results({ text }: { text: string }) {
  const [t, locale] = await Promise.all([getTranslations("docsSearch"), getLocale()]);
  const found = (await openDocsIndex(locale))(text, resultsMax);
  return (
    <section aria-labelledby="results" className="mt-6">
      <h2 id="results" className="font-medium text-lg">
        {t("resultsFor", { text })}
      </h2>
      {found.length === 0 ? (
        <p className="mt-2 text-ink-muted text-sm">{t("empty", { text })}</p>
      ) : (
        <ul className="mt-2 divide-y divide-line border-line border-y">
          {found.map(({ href, page, title }) => (
            <li key={href}>
              <Link href={href} className="grid gap-0.5 py-2.5 text-sm hover:bg-hover">
                <span className="font-medium">{title}</span>
                <span className="text-ink-muted text-xs">{page}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
