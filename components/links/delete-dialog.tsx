"use client";

import { useTranslations } from "next-intl";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { restoreMinutes } from "#lib/links/editing/schema";
import type { Link } from "#lib/links/fields/schema";
import type { ListRange } from "./list-head.tsx";
import { withoutScheme } from "./names.ts";

interface DeleteDialogProps {
  links: readonly Link[];
  /** Deletes all links that match a list, instead of `links`. */
  all?: ListRange | undefined;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onConfirm: () => void;
}

const namedMax = 5;

export function DeleteDialog({ links, all, ...dialog }: DeleteDialogProps) {
  const t = useTranslations("selection");
  const count = links.length;
  if (all) {
    const { total, more: isMany } = all;
    return (
      <ConfirmDialog
        {...dialog}
        title={isMany ? t("deleteAllTitle") : t("deleteTitle", { count: total })}
        action={isMany ? t("deleteAllAction") : t("deleteAction", { count: total })}
      >
        {t("deleteAllText", { minutes: restoreMinutes })}
      </ConfirmDialog>
    );
  }
  const more = count - namedMax;
  return (
    <ConfirmDialog
      {...dialog}
      title={t("deleteTitle", { count })}
      action={t("deleteAction", { count })}
    >
      <ul className="mb-2 grid gap-0.5 font-medium text-ink">
        {links.slice(0, namedMax).map((link) => (
          <li key={link.id} className="break-all">
            {withoutScheme(link.shortLink)}
          </li>
        ))}
        {more > 0 ? <li className="text-ink-muted">{t("andMore", { count: more })}</li> : null}
      </ul>
      <p>{t("deleteText", { count })}</p>
    </ConfirmDialog>
  );
}
