import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { classNames } from "#components/ui/class-names.ts";
import type { WorkspaceScope } from "#lib/tenancy/access";

interface FormTabsProps {
  scope: WorkspaceScope;
  workspace: string;
  current: (typeof tabs)[number];
}

const tabs = ["forms", "contacts"] as const;

/** Forms, and the people who answered them. */
export async function FormTabs({ scope, workspace, current }: FormTabsProps) {
  if (!scope.permissions.has("people.view")) return null;
  const t = await getTranslations("shell");
  return (
    <nav aria-label={t("forms")} className="mb-5 flex gap-4 border-line border-b">
      {tabs.map((name) => (
        <Link
          key={name}
          href={`/app/${workspace}/${name}`}
          aria-current={name === current ? "page" : undefined}
          className={classNames(
            "-mb-px border-b-2 py-2 text-sm transition-colors",
            name === current
              ? "border-accent font-medium text-ink"
              : "border-transparent text-ink-muted hover:text-ink",
          )}
        >
          {t(name)}
        </Link>
      ))}
    </nav>
  );
}
