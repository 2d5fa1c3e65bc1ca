import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { openShare } from "#lib/analytics/shares";
import type { PublicShare } from "#lib/analytics/shares/schema";
import { Board } from "../../../components/analytics/board.tsx";
import { Mark } from "../../../components/brand/mark.tsx";
import { SharePassword } from "../../../components/shares/share-password.tsx";
import { PreferencesMenu } from "../../../components/shell/preferences.tsx";
import { chooseLocale, chooseTheme } from "../../preference-actions.ts";
import { getTheme } from "../../preferences.ts";
import { guestOf } from "../guest.ts";
import { unlockShareAction } from "./actions.ts";

interface SharePageProps {
  params: Promise<{ token: string }>;
}

const open = cache(async (token: string) => openShare(await guestOf(token)));

export async function generateMetadata({ params }: SharePageProps): Promise<Metadata> {
  const [t, opened] = await Promise.all([getTranslations("shares"), open((await params).token)]);
  return { title: opened.ok ? opened.share.name : t("pageTitle"), robots: { index: false } };
}

export default async function SharePage({ params }: SharePageProps) {
  const { token } = await params;
  const [t, common, theme, opened] = await Promise.all([
    getTranslations("shares"),
    getTranslations("common"),
    getTheme(),
    open(token),
  ]);
  if (!opened.ok && opened.code === "missing") notFound();
  return (
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
          <SharedBoard token={token} share={opened.share} />
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
    </div>
  );
}

/** Tabs that reveal more than the shared subject. */
const hiddenTabs: Record<PublicShare["kind"], readonly string[]> = {
  workspace: [],
  link: ["links", "domains", "tags", "folders"],
  folder: ["tags", "folders"],
  tag: ["tags", "folders"],
};

function SharedBoard({ token, share }: { token: string; share: PublicShare }) {
  return (
    <Board
      source={{ path: `/share/${token}/analytics`, workspace: undefined, zone: share.zone }}
      parts={share.parts}
      without={hiddenTabs[share.kind]}
      daysMax={share.daysMax}
      annotations={{ list: share.annotations, actions: null }}
      heading={<h1 className="min-w-0 break-words font-semibold text-xl">{share.name}</h1>}
    />
  );
}
