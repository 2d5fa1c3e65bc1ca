import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { MessageKeys, Messages, NestedKeyOf } from "next-intl";
import { getMessages, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { MoreMessages } from "#components/messages/more-messages";
import { pickMessages } from "#components/messages/pick.ts";
import { AppError } from "#lib/platform/errors";

interface TextsProps {
  /** The messages that client components below read, such as `linkForm.utm`; texts.test.ts checks the list. */
  of: readonly string[];
  children: ReactNode;
}

/** Sends messages to the browser. A page only carries those it needs; server components can read all of them. */
export async function Texts({ of, children }: TextsProps) {
  return <MoreMessages messages={pickMessages(await getMessages(), of)}>{children}</MoreMessages>;
}

/** The props of a page with these parts in its path. */
export interface PageOf<Names extends string> {
  params: Promise<Record<Names, string>>;
}

export type SearchParams = Record<string, string | string[] | undefined>;

export interface PageQuery {
  searchParams: Promise<SearchParams>;
}

/** The props of a page that also has query parameters. */
export interface ListPageOf<Names extends string> extends PageOf<Names>, PageQuery {}

/** `generateMetadata` of a page whose title is a fixed message. */
export function titleOf(text: MessageKeys<Messages, NestedKeyOf<Messages>>) {
  return async (): Promise<Metadata> => {
    const t = await getTranslations();
    return { title: t(text) };
  };
}

/** Reads an object for its page. If the object does not exist, the page doesn’t either. */
export async function orMissing<T>(viewing: Promise<T>): Promise<T> {
  try {
    return await viewing;
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") notFound();
    throw error;
  }
}
