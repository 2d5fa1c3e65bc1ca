import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getLocale, getTranslations } from "next-intl/server";
import { DocsPage } from "#components/docs/docs-page";
import { headingId, Markdown, parseMarkdown } from "#components/site/markdown";
import type { ImageFile } from "#components/site/picture";
import importsEn from "../../../docs/pictures/guide-imports.en.webp";
import importsZh from "../../../docs/pictures/guide-imports.zh.webp";
import passwordsEn from "../../../docs/pictures/guide-passwords.en.webp";
import passwordsZh from "../../../docs/pictures/guide-passwords.zh.webp";
import previewsEn from "../../../docs/pictures/guide-previews.en.webp";
import previewsZh from "../../../docs/pictures/guide-previews.zh.webp";
import rulesEn from "../../../docs/pictures/guide-rules.en.webp";
import rulesZh from "../../../docs/pictures/guide-rules.zh.webp";
import testsEn from "../../../docs/pictures/guide-tests.en.webp";
import testsZh from "../../../docs/pictures/guide-tests.zh.webp";
import type { PageOf } from "../../pages.tsx";
import { type Guide, readGuide } from "../guides.ts";
import { listShownGuides } from "../shown-guides.ts";

async function guideOf({ params }: PageOf<"guide">): Promise<Guide> {
  const { guide } = await params;
  return listShownGuides().find((one) => one === guide) ?? notFound();
}

export async function generateMetadata(props: PageOf<"guide">): Promise<Metadata> {
  const [t, guide] = await Promise.all([getTranslations("guides"), guideOf(props)]);
  return { title: t(guide) };
}

export default async function GuidePage(props: PageOf<"guide">) {
  const [guide, locale] = await Promise.all([guideOf(props), getLocale()]);
  const text = await readGuide(guide, locale);
  const contents = parseMarkdown(text).flatMap((token) =>
    token.type === "heading" && token.depth === 2
      ? [{ id: headingId(token.text), title: token.text }]
      : [],
  );
  return (
    <DocsPage contents={contents}>
      <div className="max-w-3xl">
        <Markdown text={text} pictures={guidePictures} title />
      </div>
    </DocsPage>
  );
}

/** The pictures of the guides, by their paths in the Markdown files. Made by `npm run screenshots`. */
const guidePictures: Readonly<Record<string, ImageFile>> = {
  "../pictures/guide-imports.en.webp": importsEn,
  "../pictures/guide-imports.zh.webp": importsZh,
  "../pictures/guide-passwords.en.webp": passwordsEn,
  "../pictures/guide-passwords.zh.webp": passwordsZh,
  "../pictures/guide-previews.en.webp": previewsEn,
  "../pictures/guide-previews.zh.webp": previewsZh,
  "../pictures/guide-rules.en.webp": rulesEn,
  "../pictures/guide-rules.zh.webp": rulesZh,
  "../pictures/guide-tests.en.webp": testsEn,
  "../pictures/guide-tests.zh.webp": testsZh,
};
