"use client";

import { KeyRound } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { startTransition, useOptimistic, useState } from "react";
import type { ApiKey } from "#lib/identity/api-keys/schema";
import { useAct } from "../forms/act.ts";
import type { FormAction, FormAnswer } from "../forms/form.tsx";
import { PageHead } from "../shell/page-head.tsx";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Table, TableCell, TableHead, TableRow } from "../ui/table.tsx";
import { toast } from "../ui/toast.tsx";
import { KeyDialog, type MadeKey } from "./key-dialog.tsx";

interface KeyManagerProps {
  keys: readonly ApiKey[];
  /** Null, both: the person may only look. */
  createKey: FormAction<MadeKey> | null;
  revokeKey: ((id: string) => Promise<FormAnswer<null>>) | null;
}

export function KeyManager({ keys, createKey, revokeKey }: KeyManagerProps) {
  const t = useTranslations("apiKeys");
  const [shown, hide] = useOptimistic(keys, (before, id: string) =>
    before.filter((key) => key.id !== id),
  );
  const act = useAct();
  const [revoking, setRevoking] = useState<{ key: ApiKey; open: boolean }>();

  function revoke({ id, name }: ApiKey) {
    if (!revokeKey) return;
    startTransition(async () => {
      hide(id);
      const revoked = await act(() => revokeKey(id), t("notRevoked", { name }));
      if (revoked) toast.success(t("revoked", { name }));
    });
  }

  return (
    <>
      <PageHead heading={t("heading")} note={t("note")}>
        {createKey ? <KeyDialog createKey={createKey} /> : null}
      </PageHead>
      {shown.length > 0 ? (
        <KeyTable
          keys={shown}
          onRevoke={revokeKey ? (key) => setRevoking({ key, open: true }) : null}
        />
      ) : (
        <EmptyState icon={<KeyRound aria-hidden />} title={t("emptyTitle")}>
          {t("emptyText")}
        </EmptyState>
      )}
      {revoking ? (
        <ConfirmDialog
          open={revoking.open}
          onOpenChange={(open) => setRevoking({ ...revoking, open })}
          title={t("revokeTitle", { name: revoking.key.name })}
          action={t("revokeAction")}
          onConfirm={() => revoke(revoking.key)}
        >
          {t("revokeText")}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

interface KeyTableProps {
  keys: readonly ApiKey[];
  onRevoke: ((key: ApiKey) => void) | null;
}

function KeyTable({ keys, onRevoke }: KeyTableProps) {
  const t = useTranslations("apiKeys");
  const format = useFormatter();
  const day = (text: string) => format.dateTime(new Date(text), { dateStyle: "medium" });
  return (
    <Table caption={t("caption")}>
      <thead>
        <tr>
          <TableHead>{t("columnName")}</TableHead>
          <TableHead>{t("columnHint")}</TableHead>
          <TableHead className="hidden sm:table-cell">{t("columnCreated")}</TableHead>
          <TableHead className="hidden sm:table-cell">{t("columnUsed")}</TableHead>
          <TableHead>
            <span className="sr-only">{t("columnActions")}</span>
          </TableHead>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <TableRow key={key.id}>
            <TableCell className="max-w-40 truncate sm:max-w-60 font-medium">{key.name}</TableCell>
            <TableCell className="font-mono text-ink-muted text-xs">{key.hint}…</TableCell>
            <TableCell className="hidden text-ink-muted sm:table-cell">
              {day(key.createdAt)}
            </TableCell>
            <TableCell className="hidden text-ink-muted sm:table-cell">
              {key.lastUsedAt ? day(key.lastUsedAt) : t("never")}
            </TableCell>
            <TableCell className="text-right">
              {onRevoke ? (
                <Button
                  look="ghost"
                  size="sm"
                  aria-label={t("revokeName", { name: key.name })}
                  onClick={() => onRevoke(key)}
                >
                  {t("revoke")}
                </Button>
              ) : null}
            </TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
