import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getLocale, getTranslations } from "next-intl/server";
import { Markdown } from "#components/site/markdown";
import { type Guide, readGuide } from "../guides.ts";
import { guidePictures } from "../pictures.ts";
import { listShownGuides } from "../shown-guides.ts";

interface GuideProps {
  params: Promise<{ guide: string }>;
}

async function guideOf({ params }: GuideProps): Promise<Guide> {
  const { guide } = await params;
  return listShownGuides().find((one) => one === guide) ?? notFound();
}

export async function generateMetadata(props: GuideProps): Promise<Metadata> {
  const [t, guide] = await Promise.all([getTranslations("guides"), guideOf(props)]);
  return { title: t(guide) };
}

export default async function GuidePage(props: GuideProps) {
  const [guide, locale] = await Promise.all([guideOf(props), getLocale()]);
  return (
    <main id="content" className="max-w-3xl pt-8">
      <Markdown text={await readGuide(guide, locale)} pictures={guidePictures} title />
    </main>
  );
}
