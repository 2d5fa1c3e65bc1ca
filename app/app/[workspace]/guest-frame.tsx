import type { ReactNode } from "react";
import { GuestBanner } from "#components/onboarding/guest-banner";
import { GuestShell } from "#components/shell/guest-shell";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { isSignUpOpen } from "#lib/tenancy/instance-rules";
import { getWorkspace } from "#lib/tenancy/workspaces";
import { Texts } from "../../pages.tsx";
import { chooseLocale, chooseTheme } from "../../preference-actions.ts";
import { getTheme } from "../../preferences.ts";

const texts = ["demo", "languages", "notices", "shell", "themes"];

/** The frame of the pages that visitors may open in the public demo. */
export async function GuestFrame({
  scope,
  children,
}: {
  scope: WorkspaceScope;
  children: ReactNode;
}) {
  const [{ name }, theme, isOpen] = await Promise.all([
    getWorkspace(scope),
    getTheme(),
    isSignUpOpen(),
  ]);
  const { slug, zone } = scope;
  const entry = isOpen ? "/signup" : "/signin";
  return (
    <Texts of={texts}>
      <GuestShell
        workspace={{ name, slug, zone }}
        entry={entry}
        preferences={{ theme, chooseTheme, chooseLocale }}
      >
        <GuestBanner entry={entry} />
        {children}
      </GuestShell>
    </Texts>
  );
}
