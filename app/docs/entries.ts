/** What the search over the documentation finds: sections of guides, and the operations of the API. */
import type { MarkedToken } from "marked";
import { createTranslator } from "next-intl";
import { createDocsIndex, type DocsEntry, type DocsIndex } from "#components/docs/search-index.ts";
import { headingId, parseMarkdown } from "#components/site/markdown";
import { errorCodes } from "#lib/platform/errors";
import { type Locale, loadMessages } from "#lib/platform/messages/schema";
import { getReference, slugOf } from "./api/document.ts";
import { type Guide, readGuide } from "./guides.ts";
import { listShownGuides } from "./shown-guides.ts";

const kept = new Map<Locale, Promise<readonly DocsEntry[]>>();

/** All entries in a language; read once. */
export function listDocsEntries(locale: Locale): Promise<readonly DocsEntry[]> {
  const before = kept.get(locale);
  if (before !== undefined) return before;
  const entries = readEntries(locale);
  kept.set(locale, entries);
  // Does not keep a failed result.
  entries.catch(() => kept.delete(locale));
  return entries;
}

const indexes = new Map<Locale, Promise<DocsIndex>>();

export function openDocsIndex(locale: Locale): Promise<DocsIndex> {
  const before = indexes.get(locale);
  if (before !== undefined) return before;
  const index = listDocsEntries(locale).then(createDocsIndex);
  // defence: search-index-once
  indexes.set(locale, index);
  index.catch(() => indexes.delete(locale));
  return index;
}

async function readEntries(locale: Locale): Promise<readonly DocsEntry[]> {
  const messages = await loadMessages(locale);
  const t = createTranslator({ locale, messages });
  const ofGuides = await Promise.all(
    listShownGuides().map(async (guide) =>
      sectionsOf(guide, t(`guides.${guide}`), await readGuide(guide, locale)),
    ),
  );
  return [
    ...ofGuides.flat(),
    ...linkSections(messages.linkGuide),
    ...operations(t("reference.title")),
    ...errorCodes.map((code) => ({
      href: `/docs/api/errors#${code}`,
      page: t("apiErrors.title"),
      title: code,
      text: messages.apiErrors.codes[code],
    })),
  ];
}

function sectionsOf(guide: Guide, page: string, markdown: string): DocsEntry[] {
  const entries: DocsEntry[] = [{ href: `/docs/${guide}`, page, title: page, text: "" }];
  for (const token of parseMarkdown(markdown)) {
    if (token.type === "heading" && token.depth > 1) {
      const href = `/docs/${guide}#${headingId(token.text)}`;
      entries.push({ href, page, title: token.text, text: "" });
    } else {
      const last = entries.at(-1);
      if (last) last.text += ` ${plainText(token)}`;
    }
  }
  return entries;
}

function plainText(token: MarkedToken): string {
  if (token.type === "list") {
    return token.items.map((item) => plainText(item as MarkedToken)).join(" ");
  }
  if ("tokens" in token && token.tokens) {
    return (token.tokens as MarkedToken[]).map(plainText).join("");
  }
  return "text" in token ? String(token.text) : " ";
}

type LinkGuide = Awaited<ReturnType<typeof loadMessages>>["linkGuide"];

/** The texts of these sections come from the messages. */
function linkSections(guide: LinkGuide): DocsEntry[] {
  const sections = [
    { id: "order", title: guide.orderTitle, texts: Object.values(guide.order) },
    { id: "answers", title: guide.answersTitle, texts: Object.values(guide.answers) },
    { id: "addresses", title: guide.addressTitle, texts: Object.values(guide.address) },
    { id: "search-engines", title: guide.indexTitle, texts: [guide.index] },
    { id: "frames", title: guide.frameTitle, texts: [guide.frame] },
    { id: "apps", title: guide.appTitle, texts: [guide.app] },
  ];
  return sections.map(({ id, title, texts }) => ({
    href: `/docs/links#${id}`,
    page: guide.title,
    title,
    // Removes tags such as <code> and placeholders, which are not text.
    text: texts.join(" ").replace(/<[^>]*>|\{\w+\}/g, ""),
  }));
}

function operations(page: string): DocsEntry[] {
  return getReference().resources.flatMap((resource) =>
    resource.operations.map(({ id, method, path, summary, description, parameters, body }) => ({
      href: `/docs/api/${slugOf(resource)}#${id}`,
      page: `${page} · ${resource.name}`,
      title: summary,
      text: [id, method, path, description, ...parameters.map(nameOf), ...body.map(nameOf)]
        .filter((part) => part !== undefined)
        .join(" "),
    })),
  );
}

function nameOf({ name }: { name: string }): string {
  return name;
}
