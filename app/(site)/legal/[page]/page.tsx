import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getLocale, getTranslations } from "next-intl/server";
import { Markdown } from "#components/site/markdown";
import { config } from "#lib/platform/config";
import type { Locale } from "#lib/platform/messages/schema";
import { privacyPeriods } from "#lib/transfer/retention";
import type { PageOf } from "../../../pages.tsx";

const legalPages = ["terms", "privacy", "imprint"] as const;
type LegalPage = (typeof legalPages)[number];

/** Prefers the reader’s language. Undefined if the text has not been written. */
async function findLegalText(page: LegalPage, locale: Locale): Promise<string | undefined> {
  const folder = join(config().FUXI_DATA_DIR, "legal");
  const names = locale === "en" ? [page] : [`${page}.${locale}`, page];
  for (const name of names) {
    const text = await readFile(join(folder, `${name}.md`), "utf8").catch(orMissing);
    if (text !== undefined && text.trim() !== "") return text;
  }
  return undefined;
}

function orMissing(error: unknown): undefined {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
  throw error;
}

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
