import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { createBatcher } from "#components/analytics/batched-queries.ts";
import { Board } from "#components/analytics/board";
import { firstQueries } from "#components/analytics/first-queries.ts";
import { Mark } from "#components/brand/mark";
import { SharePassword } from "#components/shares/share-password";
import { PreferencesMenu } from "#components/shell/preferences";
import { openShare, queryShare } from "#lib/analytics/shares";
import type { PublicShare } from "#lib/analytics/shares/schema";
import { AppError } from "#lib/platform/errors";
import { FooterLinks } from "../../footer-links.tsx";
import { Texts } from "../../pages.tsx";
import { chooseLocale, chooseTheme } from "../../preference-actions.ts";
import { getTheme } from "../../preferences.ts";
import { guestOf } from "../guest.ts";
import { unlockShareAction } from "./actions.ts";

interface SharePageProps {
  params: Promise<{ token: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

const open = cache(async (token: string) => openShare(await guestOf(token)));

export async function generateMetadata({
  params,
}: Pick<SharePageProps, "params">): Promise<Metadata> {
  const [t, opened] = await Promise.all([getTranslations("shares"), open((await params).token)]);
  return { title: opened.ok ? opened.share.name : t("pageTitle"), robots: { index: false } };
}

export default async function SharePage({ params, searchParams }: SharePageProps) {
  const { token } = await params;
  const [t, common, theme, opened] = await Promise.all([
    getTranslations("shares"),
    getTranslations("common"),
    getTheme(),
    open(token),
  ]);
  if (!opened.ok && opened.code === "missing") notFound();
  return (
    <Texts of={["analytics", "calendar", "languages", "shares", "themes"]}>
      <div className="flex min-h-dvh flex-col bg-sunken">
        <header className="flex h-14 items-center justify-between border-line border-b bg-surface px-4 md:px-8">
          <Link href="/" className="flex items-center gap-2 rounded-sm font-semibold text-base">
            <Mark className="size-5 text-accent" />
            {common("product")}
          </Link>
          <PreferencesMenu theme={theme} chooseTheme={chooseTheme} chooseLocale={chooseLocale} />
        </header>
        <main id="content" className="mx-auto w-full max-w-5xl flex-1 px-4 py-6 md:px-8">
          {opened.ok ? (
            <SharedBoard
              token={token}
              share={opened.share}
              first={await firstAnswers(token, opened.share, oneOfEach(await searchParams))}
            />
          ) : (
            <div className="mx-auto mt-[12vh] max-w-sm rounded-xl border border-line bg-surface p-6 shadow-raised">
              <h1 className="mb-1 font-semibold text-lg">{t("doorTitle")}</h1>
              <p className="mb-5 text-ink-muted text-sm">
                {t(opened.code === "too_many" ? "doorLater" : "doorText")}
              </p>
              {opened.code === "too_many" ? null : (
                <SharePassword unlock={unlockShareAction.bind(null, token)} />
              )}
            </div>
          )}
        </main>
        <footer className="px-4 pb-4 flex flex-wrap justify-center gap-x-5 empty:hidden">
          <FooterLinks />
        </footer>
      </div>
    </Texts>
  );
}

/** Tabs that would reveal more than the shared subject. */
const hiddenTabs: Record<PublicShare["kind"], readonly string[]> = {
  workspace: [],
  link: ["links", "domains", "tags", "folders"],
  folder: ["tags", "folders"],
  tag: ["tags", "folders"],
};

/** Takes the first of repeated parameters, as the browser does. */
function oneOfEach(given: Awaited<SharePageProps["searchParams"]>): URLSearchParams {
  const entries = Object.entries(given).flatMap(([name, value]) => {
    const one = Array.isArray(value) ? value[0] : value;
    return one === undefined ? [] : [[name, one]];
  });
  return new URLSearchParams(entries);
}

type Answers = Readonly<Record<string, unknown>>;

/** The numbers that the page shows first, so that it is complete without scripts. If a query fails, its card repeats it. */
async function firstAnswers(
  token: string,
  { kind, parts, daysMax, zone }: PublicShare,
  params: URLSearchParams,
): Promise<Answers> {
  const guest = await guestOf(token);
  const without = hiddenTabs[kind];
  const board = { about: {}, zone, parts, without, daysMax, now: Date.now() };
  const ask = createBatcher((query) => queryShare(guest, new URLSearchParams(query.slice(1))));
  const source = { path: "", workspace: undefined, zone };
  const { signal } = new AbortController();
  const answers = await Promise.all(
    firstQueries(params, board).map(async (query): Promise<[string, unknown][]> => {
      try {
        return [[query, await ask(source, query, signal)]];
      } catch (error) {
        if (error instanceof AppError) return [];
        throw error;
      }
    }),
  );
  return Object.fromEntries(answers.flat());
}

interface SharedBoardProps {
  token: string;
  share: PublicShare;
  first: Answers;
}

function SharedBoard({ token, share, first }: SharedBoardProps) {
  return (
    <Board
      source={{ path: `/share/${token}/analytics`, workspace: undefined, zone: share.zone, first }}
      parts={share.parts}
      without={hiddenTabs[share.kind]}
      daysMax={share.daysMax}
      annotations={{ list: share.annotations, actions: null }}
      heading={<h1 className="min-w-0 break-words font-semibold text-xl">{share.name}</h1>}
    />
  );
}
