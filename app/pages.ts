/** What pages have in common. */
import type { Metadata } from "next";
import type { MessageKeys, Messages, NestedKeyOf } from "next-intl";
import { getTranslations } from "next-intl/server";

/** The props of a page with these parts in its path. */
export interface PageOf<Names extends string> {
  params: Promise<Record<Names, string>>;
}

/** `generateMetadata` of a page whose title is a text. */
export function titleOf(text: MessageKeys<Messages, NestedKeyOf<Messages>>) {
  return async (): Promise<Metadata> => {
    const t = await getTranslations();
    return { title: t(text) };
  };
}
