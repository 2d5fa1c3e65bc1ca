/** The order of the documentation: its side navigation, and the pages before and after a page. */
import { getTranslations } from "next-intl/server";
import type { DocsGroup, DocsPage } from "#components/docs/docs-frame";
import { getReference, slugOf } from "./api/document.ts";
import { type GuideGroup, guideGroups } from "./guides.ts";
import { listShownGuides } from "./shown-guides.ts";

type Described = DocsPage & { text: string };

/** The guides by their readers, each with a sentence about it. */
export async function listGuideGroups(): Promise<{ title: string; pages: Described[] }[]> {
  const [t, links, reference] = await Promise.all([
    getTranslations("guides"),
    getTranslations("linkGuide"),
    getTranslations("reference"),
  ]);
  const shown = listShownGuides();
  const more: Partial<Record<GuideGroup, Described>> = {
    marketers: { href: "/docs/links", title: links("title"), text: t("about.links") },
    developers: { href: "/docs/api", title: reference("title"), text: t("about.api") },
  };
  return Object.entries(guideGroups).map(([group, guides]) => {
    const name = group as GuideGroup;
    const last = more[name];
    const pages = guides
      .filter((guide) => shown.includes(guide))
      .map((guide) => ({ href: `/docs/${guide}`, title: t(guide), text: t(`about.${guide}`) }));
    return { title: t(`groups.${name}`), pages: last ? [...pages, last] : pages };
  });
}

/** All pages in reading order. */
export async function listDocsGroups(): Promise<DocsGroup[]> {
  const [guides, errors, reference] = await Promise.all([
    listGuideGroups(),
    getTranslations("apiErrors"),
    getTranslations("reference"),
  ]);
  const api: DocsPage[] = [
    ...getReference().resources.map((resource) => ({
      href: `/docs/api/${slugOf(resource)}`,
      title: resource.name,
    })),
    { href: "/docs/api/errors", title: errors("title") },
    { href: "/docs/api/differences", title: reference("differences.title") },
  ];
  const readable = guides.map(({ title, pages }) => ({
    title,
    pages: pages.map((page) => ({ href: page.href, title: page.title })),
  }));
  return [...readable, { title: reference("title"), pages: api }];
}
