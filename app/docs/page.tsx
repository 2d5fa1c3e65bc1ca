import type { Metadata } from "next";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { guides } from "./guides.ts";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("guides");
  return { title: t("title") };
}

export default async function DocsPage() {
  const [t, reference, links] = await Promise.all([
    getTranslations("guides"),
    getTranslations("reference"),
    getTranslations("linkGuide"),
  ]);
  const pages = [
    ...guides.map((guide) => ({
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
