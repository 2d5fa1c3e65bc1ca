import Link from "next/link";
import { getLocale, getTranslations } from "next-intl/server";
import { DocsCards } from "#components/docs/docs-cards";
import { DocsPage } from "#components/docs/docs-page";
import { type PageQuery, titleOf } from "../pages.tsx";
import { openDocsIndex } from "./entries.ts";
import { listGuideGroups } from "./structure.ts";

const textCharsMax = 100;
const resultsMax = 20;

export const generateMetadata = titleOf("guides.title");

/** Lists all guides. After a search without JavaScript, the results come first. */
export default async function DocsHome({ searchParams }: PageQuery) {
  const { q } = await searchParams;
  const text = typeof q === "string" ? q.trim().slice(0, textCharsMax) : "";
  const [t, groups] = await Promise.all([getTranslations("guides"), listGuideGroups()]);
  return (
    <DocsPage>
      <h1 className="font-semibold text-2xl tracking-tight">{t("title")}</h1>
      {text === "" ? null : <Results text={text} />}
      {groups.map(({ title, pages }) => (
        <section key={title} aria-label={title}>
          <h2 className="mt-8 font-medium text-lg">{title}</h2>
          <DocsCards pages={pages} />
        </section>
      ))}
    </DocsPage>
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
