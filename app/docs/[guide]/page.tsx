import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getLocale, getTranslations } from "next-intl/server";
import { Markdown } from "#components/site/markdown";
import type { PageOf } from "../../pages.ts";
import { type Guide, readGuide } from "../guides.ts";
import { guidePictures } from "../pictures.ts";
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
  return (
    <main id="content" className="max-w-3xl pt-8">
      <Markdown text={await readGuide(guide, locale)} pictures={guidePictures} title />
    </main>
  );
}
