"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { type ReactNode, useMemo } from "react";
import { useSignedOut } from "#components/auth/sign-in-again";
import { CreatorContext } from "#components/links/creator-context.ts";
import { Button } from "#components/ui/button";
import { Dialog, DialogActions, DialogContent } from "#components/ui/dialog";
import { mainPages } from "./page-list.ts";
import { type Preferences, PreferencesMenu } from "./preferences.tsx";
import { ShellFrame } from "./shell-frame.tsx";
import { PageItems } from "./side-list.tsx";

const pages = mainPages.filter(({ path }) => path === "links" || path === "analytics");

interface GuestShellProps {
  workspace: { name: string; slug: string; zone: string };
  /** Where visitors sign up, or sign in if nobody can sign up. */
  entry: string;
  preferences: Preferences;
  children: ReactNode;
}

/** The frame of the public demo. Whatever needs an account asks for signing up. */
export function GuestShell({ workspace, entry, preferences, children }: GuestShellProps) {
  const { name, slug, zone } = workspace;
  const t = useTranslations("demo.guest");
  const shell = useTranslations("shell");
  const [isAsked, setAsked] = useSignedOut();
  const creator = useMemo(
    () => ({
      workspace: slug,
      owner: "",
      zone,
      readRetirementDefault: null,
      openCreator: () => setAsked(true),
    }),
    [slug, zone, setAsked],
  );
  const signUp = (
    <Button asChild variant="solid">
      <Link href={entry}>{t("signUp")}</Link>
    </Button>
  );
  return (
    <CreatorContext value={creator}>
      <ShellFrame
        name={name}
        navigation={() => (
          <div className="flex h-full flex-col gap-4">
            <p className="flex h-10 items-center truncate px-2 font-semibold">{name}</p>
            <nav aria-label={shell("navigation")} className="min-h-0 flex-1 overflow-y-auto px-1">
              <PageItems base={`/app/${slug}`} pages={pages} />
            </nav>
            <div className="flex items-center justify-between gap-1 p-1">
              {signUp}
              <PreferencesMenu {...preferences} />
            </div>
          </div>
        )}
      >
        {children}
      </ShellFrame>
      <Dialog open={isAsked} onOpenChange={setAsked}>
        <DialogContent title={t("refusedTitle")} description={t("refusedText")}>
          <DialogActions>{signUp}</DialogActions>
        </DialogContent>
      </Dialog>
    </CreatorContext>
  );
}
