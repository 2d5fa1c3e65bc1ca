"use client";

import { useFormatter, useTranslations } from "next-intl";
import { Button } from "#components/ui/button";
import { DataTable } from "#components/ui/data-table";
import type { Invitation } from "#lib/tenancy/members/schema";

interface InvitationListProps {
  invitations: readonly Invitation[];
  onRevoke: (id: string) => void;
}

export function InvitationList({ invitations, onRevoke }: InvitationListProps) {
  const t = useTranslations("members");
  const format = useFormatter();
  return (
    <section className="mt-8 grid gap-3">
      <h2 className="font-semibold text-base">{t("invitations")}</h2>
      <DataTable
        caption={t("invitationsCaption")}
        rows={invitations}
        columns={[
          {
            heading: t("columnFor"),
            cellClass: "max-w-40 truncate sm:max-w-72",
            cell: ({ email }) => email ?? <span className="text-ink-muted">{t("anyone")}</span>,
          },
          { heading: t("columnRole"), cell: ({ role }) => t(role) },
          {
            heading: t("columnEnds"),
            className: "hidden sm:table-cell",
            cellClass: "text-ink-muted",
            cell: ({ expiresAt }) => format.dateTime(new Date(expiresAt), { dateStyle: "medium" }),
          },
          {
            heading: t("columnActions"),
            silent: true,
            cellClass: "text-right",
            cell: ({ id, email }) => (
              <Button
                variant="ghost"
                size="sm"
                aria-label={t("revokeFor", { name: email ?? t("anyone") })}
                onClick={() => onRevoke(id)}
              >
                {t("revoke")}
              </Button>
            ),
          },
        ]}
      />
    </section>
  );
}
