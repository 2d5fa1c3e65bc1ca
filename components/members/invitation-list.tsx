"use client";

import { useFormatter, useTranslations } from "next-intl";
import type { Invitation } from "#lib/tenancy/members/schema";
import { Button } from "../ui/button.tsx";
import { Table, TableCell, TableHead, TableRow } from "../ui/table.tsx";

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
      <Table caption={t("invitationsCaption")}>
        <thead>
          <tr>
            <TableHead>{t("columnFor")}</TableHead>
            <TableHead>{t("columnRole")}</TableHead>
            <TableHead className="hidden sm:table-cell">{t("columnEnds")}</TableHead>
            <TableHead>
              <span className="sr-only">{t("columnActions")}</span>
            </TableHead>
          </tr>
        </thead>
        <tbody>
          {invitations.map(({ id, email, role, expiresAt }) => (
            <TableRow key={id}>
              <TableCell className="max-w-40 truncate sm:max-w-72">
                {email ?? <span className="text-ink-muted">{t("anyone")}</span>}
              </TableCell>
              <TableCell>{t(role)}</TableCell>
              <TableCell className="hidden text-ink-muted sm:table-cell">
                {format.dateTime(new Date(expiresAt), { dateStyle: "medium" })}
              </TableCell>
              <TableCell className="text-right">
                <Button
                  look="ghost"
                  size="sm"
                  aria-label={t("revokeFor", { name: email ?? t("anyone") })}
                  onClick={() => onRevoke(id)}
                >
                  {t("revoke")}
                </Button>
              </TableCell>
            </TableRow>
          ))}
        </tbody>
      </Table>
    </section>
  );
}
