import { ArrowDown, EyeOff, ListChecks, SquareTerminal } from "lucide-react";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { getSessionUser } from "#lib/auth";
import { Mark } from "../../components/brand/mark.tsx";
import { PreferencesMenu } from "../../components/shell/preferences.tsx";
import { Button } from "../../components/ui/button.tsx";
import { chooseLocale, chooseTheme } from "../preference-actions.ts";
import { getTheme } from "../preferences.ts";

export default async function LandingPage() {
  const [t, theme, user] = await Promise.all([
    getTranslations("landing"),
    getTheme(),
    getSessionUser(),
  ]);
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-5xl flex-col px-5 md:px-8">
      <header className="flex h-16 items-center gap-2">
        <p className="mr-auto flex items-center gap-2 font-semibold text-lg">
          <Mark className="size-5 text-accent" />
          Fuxi
        </p>
        <PreferencesMenu theme={theme} chooseTheme={chooseTheme} chooseLocale={chooseLocale} />
        {user ? null : (
          <Button asChild look="ghost">
            <Link href="/signin">{t("signIn")}</Link>
          </Button>
        )}
      </header>
      <main
        id="content"
        className="grid flex-1 content-center gap-12 py-12 md:grid-cols-[1.15fr_1fr] md:gap-16"
      >
        <div className="self-center">
          <h1 className="text-balance font-semibold text-3xl tracking-tight [word-break:keep-all] sm:text-4xl">
            {t("heading")}
          </h1>
          <p className="mt-5 max-w-lg text-ink-muted text-lg">{t("lead")}</p>
          <div className="mt-8 flex flex-wrap gap-3">
            <Button asChild look="solid" size="lg">
              <Link href={user ? "/app" : "/signup"}>
                {user ? t("openDashboard") : t("getStarted")}
              </Link>
            </Button>
            {user ? null : (
              <Button asChild size="lg">
                <Link href="/signin">{t("signIn")}</Link>
              </Button>
            )}
          </div>
        </div>
        <Picture label={t("pictureLabel")} />
        <Facts />
      </main>
    </div>
  );
}

/** The idea in one picture. Not a screenshot: nothing in it pretends to be somebody's link. */
function Picture({ label }: { label: string }) {
  return (
    <div
      role="img"
      aria-label={label}
      className="grid content-center justify-items-center gap-3 self-center rounded-2xl border border-line bg-sunken px-6 py-12"
    >
      <p className="w-full max-w-80 break-all rounded-lg border border-line bg-surface px-3.5 py-3 text-ink-muted text-sm">
        https://example.com/autumn/catalogue/index.html?edition=2&amp;utm_source=letter&amp;utm_medium=print
      </p>
      <ArrowDown className="size-4 text-ink-faint" />
      <p className="flex items-center gap-2 rounded-lg border border-line bg-surface px-3.5 py-3 font-medium shadow-raised">
        <Mark className="size-4 text-accent" />
        go.example.com/autumn
      </p>
    </div>
  );
}

async function Facts() {
  const t = await getTranslations("landing.facts");
  const facts = [
    { title: t("countTitle"), text: t("count"), Icon: ListChecks },
    { title: t("privateTitle"), text: t("private"), Icon: EyeOff },
    { title: t("openTitle"), text: t("open"), Icon: SquareTerminal },
  ];
  return (
    <ul className="grid gap-8 border-line border-t pt-10 sm:grid-cols-3 md:col-span-2">
      {facts.map(({ title, text, Icon }) => (
        <li key={title} className="grid content-start gap-1.5">
          <Icon aria-hidden className="mb-1 size-4 text-accent" />
          <h2 className="font-medium text-base">{title}</h2>
          <p className="text-ink-muted text-sm">{text}</p>
        </li>
      ))}
    </ul>
  );
}
