"use client";

import { Lock } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { startTransition, useOptimistic, useState } from "react";
import type { Share } from "#lib/analytics/shares/schema";
import { useAct } from "../forms/act.ts";
import type { FormAnswer } from "../forms/form.tsx";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Table, TableCell, TableHead, TableRow } from "../ui/table.tsx";
import { toast } from "../ui/toast.tsx";

interface ShareListProps {
  shares: readonly Share[];
  revokeShare: (id: string) => Promise<FormAnswer<null>>;
}

/** The shares there are, and the way to end each. */
export function ShareList({ shares, revokeShare }: ShareListProps) {
  const t = useTranslations("shares");
  const [shown, hide] = useOptimistic(shares, (before, id: string) =>
    before.filter((share) => share.id !== id),
  );
  const act = useAct();
  const [revoking, setRevoking] = useState<{ share: Share; open: boolean }>();

  function revoke({ id, name }: Share) {
    startTransition(async () => {
      hide(id);
      const revoked = await act(() => revokeShare(id), t("notRevoked", { name }));
      if (revoked) toast.success(t("revoked", { name }));
    });
  }

  return (
    <section aria-labelledby="shares-heading">
      <h3 id="shares-heading" className="mb-2 font-medium text-sm">
        {t("list")}
      </h3>
      {shown.length > 0 ? (
        <ShareTable shares={shown} onRevoke={(share) => setRevoking({ share, open: true })} />
      ) : (
        <p className="text-ink-muted text-sm">{t("empty")}</p>
      )}
      {revoking ? (
        <ConfirmDialog
          open={revoking.open}
          onOpenChange={(open) => setRevoking({ ...revoking, open })}
          title={t("revokeTitle", { name: revoking.share.name })}
          action={t("revoke")}
          onConfirm={() => revoke(revoking.share)}
        >
          {t("revokeText")}
        </ConfirmDialog>
      ) : null}
    </section>
  );
}

interface ShareTableProps {
  shares: readonly Share[];
  onRevoke: (share: Share) => void;
}

function ShareTable({ shares, onRevoke }: ShareTableProps) {
  const t = useTranslations("shares");
  const format = useFormatter();
  const day = (text: string) => format.dateTime(new Date(text), { dateStyle: "medium" });
  return (
    <Table caption={t("list")}>
      <thead>
        <tr>
          <TableHead>{t("name")}</TableHead>
          <TableHead>{t("subject")}</TableHead>
          <TableHead>{t("end")}</TableHead>
          <TableHead>
            <span className="sr-only">{t("revoke")}</span>
          </TableHead>
        </tr>
      </thead>
      <tbody>
        {shares.map((share) => (
          <TableRow key={share.id}>
            <TableCell className="max-w-36">
              <span className="flex items-center gap-1.5 font-medium">
                <span className="truncate">{share.name}</span>
                {share.hasPassword ? (
                  <Lock aria-label={t("locked")} className="size-3.5 shrink-0 text-ink-muted" />
                ) : null}
              </span>
            </TableCell>
            <TableCell className="text-ink-muted">{t(`kinds.${share.kind}`)}</TableCell>
            <TableCell className="text-ink-muted">
              {share.endsAt ? day(share.endsAt) : t("noEnd")}
            </TableCell>
            <TableCell className="text-right">
              <Button
                look="ghost"
                size="sm"
                aria-label={t("revokeName", { name: share.name })}
                onClick={() => onRevoke(share)}
              >
                {t("revoke")}
              </Button>
            </TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
