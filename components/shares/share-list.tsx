"use client";

import { Lock } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import type { FormAnswer } from "#components/forms/form";
import { useRemoval } from "#components/forms/removal.ts";
import { Button } from "#components/ui/button";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { DataTable } from "#components/ui/data-table";
import type { Share } from "#lib/analytics/shares/schema";

interface ShareListProps {
  shares: readonly Share[];
  showShare: (share: Share) => Promise<void>;
  revokeShare: (id: string) => Promise<FormAnswer<null>>;
}

/** The existing share links, with buttons to show the URL of each again and to revoke it. */
export function ShareList({ shares, showShare, revokeShare }: ShareListProps) {
  const t = useTranslations("shares");
  const { shown, ask, question } = useRemoval(shares, revokeShare, {
    removed: (name) => t("revoked", { name }),
    notRemoved: (name) => t("notRevoked", { name }),
  });

  return (
    // The table is a region with this name already.
    <div>
      <h3 className="mb-2 font-medium text-sm">{t("list")}</h3>
      {shown.length > 0 ? (
        <ShareTable shares={shown} onShow={showShare} onRevoke={ask} />
      ) : (
        <p className="text-ink-muted text-sm">{t("empty")}</p>
      )}
      {question ? (
        <ConfirmDialog
          {...question.dialog}
          title={t("revokeTitle", { name: question.thing.name })}
          action={t("revoke")}
        >
          {t("revokeText")}
        </ConfirmDialog>
      ) : null}
    </div>
  );
}

interface ShareTableProps {
  shares: readonly Share[];
  onShow: (share: Share) => Promise<void>;
  onRevoke: (share: Share) => void;
}

function ShareTable({ shares, onShow, onRevoke }: ShareTableProps) {
  const t = useTranslations("shares");
  const format = useFormatter();
  const day = (text: string) => format.dateTime(new Date(text), { dateStyle: "medium" });
  return (
    <DataTable
      caption={t("list")}
      rows={shares}
      columns={[
        {
          heading: t("name"),
          cellClass: "max-w-36",
          cell: ({ name, hasPassword, hasAddress, formerMember }) => (
            <>
              <span className="flex items-center gap-1.5 font-medium">
                <span className="truncate">{name}</span>
                {hasPassword ? (
                  <Lock aria-label={t("locked")} className="size-3.5 shrink-0 text-ink-muted" />
                ) : null}
              </span>
              {hasAddress ? null : (
                <span className="block text-ink-muted text-xs">{t("addressLost")}</span>
              )}
              {formerMember === null ? null : (
                <span className="text-ink-muted text-xs">
                  {formerMember === ""
                    ? t("formerAccount")
                    : t("formerMember", { name: formerMember })}
                </span>
              )}
            </>
          ),
        },
        {
          heading: t("subject"),
          cellClass: "text-ink-muted",
          cell: ({ kind }) => t(`kinds.${kind}`),
        },
        {
          heading: t("end"),
          cellClass: "text-ink-muted",
          cell: ({ endsAt }) => (endsAt ? day(endsAt) : t("noEnd")),
        },
        {
          heading: t("revoke"),
          silent: true,
          cellClass: "text-right",
          cell: (share) => (
            <span className="flex justify-end gap-1">
              {share.hasAddress ? (
                <Button
                  variant="ghost"
                  size="sm"
                  aria-label={t("showName", { name: share.name })}
                  onClick={() => void onShow(share)}
                >
                  {t("show")}
                </Button>
              ) : null}
              <Button
                variant="ghost"
                size="sm"
                aria-label={t("revokeName", { name: share.name })}
                onClick={() => onRevoke(share)}
              >
                {t("revoke")}
              </Button>
            </span>
          ),
        },
      ]}
    />
  );
}
