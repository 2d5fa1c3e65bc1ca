import Link from "next/link";
import { useTranslations } from "next-intl";
import type { FormAction } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { bareUrl, parseUrl } from "#lib/basics/urls/schema";
import { ReasonButtons } from "./reason-buttons.tsx";

interface LinkActionsProps {
  link: { id: string; shortLink: string; url: string };
  workspace: { id: string };
  /** Null if it is off already. */
  disable: FormAction<null> | null;
}

/** Turns a link off, and leads to the form that bans it, its destination or its workspace. */
export function LinkActions({ link, workspace, disable }: LinkActionsProps) {
  const t = useTranslations("admin.linkActions");
  const name = bareUrl(link.shortLink);
  const subjects = {
    link: link.id,
    host: parseUrl(link.url)?.hostname ?? "",
    workspace: workspace.id,
  };
  return (
    <div className="flex flex-wrap gap-2">
      {disable ? (
        <ReasonButtons
          size="sm"
          label={t("reason")}
          hint={t("reasonHint")}
          changes={[
            {
              button: t("disable"),
              "aria-label": t("disableNamed", { name }),
              title: t("disableNamed", { name }),
              text: t("disableText"),
              submit: t("disable"),
              done: t("disabled"),
              change: disable,
            },
          ]}
        />
      ) : null}
      {(["link", "host", "workspace"] as const).map((kind) =>
        subjects[kind] === "" ? null : (
          <Button key={kind} asChild size="sm" variant="ghost">
            <Link
              href={`/admin/bans?${new URLSearchParams({ kind, subject: subjects[kind] })}`}
              prefetch={false}
              aria-label={t("banNamed", { ban: t(`ban.${kind}`), name })}
            >
              {t(`ban.${kind}`)}
            </Link>
          </Button>
        ),
      )}
    </div>
  );
}
