"use client";

import { KeyRound, Plus } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { startTransition, useOptimistic } from "react";
import { type FormAction, type FormAnswer, useAction } from "#components/forms/form";
import { useRemoval } from "#components/forms/removal.ts";
import { useCreated } from "#components/forms/use-created.ts";
import { PageHead } from "#components/shell/page-head";
import { PrefetchLink } from "#components/shell/prefetch-link";
import { Badge } from "#components/ui/badge";
import { Button } from "#components/ui/button";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { DataTable } from "#components/ui/data-table";
import { Dialog, DialogContent, DialogTrigger } from "#components/ui/dialog";
import { EmptyState } from "#components/ui/empty-state";
import { toast } from "#components/ui/toast";
import type { ApiKey } from "#lib/identity/api-keys/schema";
import { type CreatedKey, CreatedKeyView } from "./created-key-view.tsx";
import { KeyForm } from "./key-form.tsx";
import type { KeyChoices } from "./key-limits.tsx";

interface KeyManagerProps {
  keys: readonly ApiKey[];
  choices: KeyChoices;
  href: string;
  createKey: FormAction<CreatedKey> | null;
  keepKey: ((id: string) => Promise<FormAnswer<null>>) | null;
  revokeKey: ((id: string) => Promise<FormAnswer<null>>) | null;
}

export function KeyManager(props: KeyManagerProps) {
  const { keys, choices, href, createKey, keepKey, revokeKey } = props;
  const t = useTranslations("apiKeys");
  const { shown, ask, question } = useRemoval(keys, revokeKey, {
    removed: (name) => t("revoked", { name }),
    notRemoved: (name) => t("notRevoked", { name }),
  });

  return (
    <>
      <PageHead heading={t("heading")} note={t("note")}>
        {createKey ? <KeyDialog createKey={createKey} choices={choices} /> : null}
      </PageHead>
      {shown.length > 0 ? (
        <>
          <KeyReview keys={shown} keepKey={keepKey} onRevoke={ask} />
          <KeyTable keys={shown} href={href} onRevoke={revokeKey ? ask : null} />
        </>
      ) : (
        <EmptyState icon={<KeyRound aria-hidden />} title={t("emptyTitle")}>
          {t("emptyText")}
        </EmptyState>
      )}
      {question ? (
        <ConfirmDialog
          {...question.dialog}
          title={t("revokeTitle", { name: question.thing.name })}
          action={t("revokeAction")}
        >
          {t("revokeText")}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

interface KeyTableProps {
  keys: readonly ApiKey[];
  href: string;
  onRevoke: ((key: ApiKey) => void) | null;
}

function KeyTable({ keys, href, onRevoke }: KeyTableProps) {
  const t = useTranslations("apiKeys");
  const format = useFormatter();
  const day = (text: string) => format.dateTime(new Date(text), { dateStyle: "medium" });
  return (
    <DataTable
      caption={t("caption")}
      rows={keys}
      columns={[
        {
          heading: t("columnName"),
          cellClass: "max-w-40 truncate sm:max-w-60 font-medium",
          cell: ({ id, name, pendingApproval }) => (
            <>
              <PrefetchLink href={`${href}/${id}`} className="hover:underline">
                {name}
              </PrefetchLink>
              {pendingApproval ? (
                <Badge tone="amber" className="ml-2">
                  {t("pending")}
                </Badge>
              ) : null}
            </>
          ),
        },
        {
          heading: t("columnHint"),
          cellClass: "font-mono text-ink-muted text-xs",
          cell: ({ hint }) => `${hint}…`,
        },
        {
          heading: t("columnAccess"),
          className: "hidden md:table-cell",
          cellClass: "text-ink-muted",
          cell: (key) => accessOf(key, t),
        },
        {
          heading: t("columnExpires"),
          className: "hidden lg:table-cell",
          cellClass: "text-ink-muted",
          cell: ({ expiresAt }) => (expiresAt ? day(expiresAt) : t("lives.never")),
        },
        {
          heading: t("columnCreated"),
          className: "hidden sm:table-cell",
          cellClass: "text-ink-muted",
          cell: ({ createdAt }) => day(createdAt),
        },
        {
          heading: t("columnUsed"),
          className: "hidden sm:table-cell",
          cellClass: "text-ink-muted",
          cell: ({ lastUsedAt }) => (lastUsedAt ? day(lastUsedAt) : t("never")),
        },
        {
          heading: t("columnActions"),
          silent: true,
          cellClass: "text-right",
          cell: (key) =>
            onRevoke ? (
              <Button
                variant="ghost"
                size="sm"
                aria-label={t("revokeName", { name: key.name })}
                onClick={() => onRevoke(key)}
              >
                {t("revoke")}
              </Button>
            ) : null,
        },
      ]}
    />
  );
}

type Words = ReturnType<typeof useTranslations<"apiKeys">>;

function accessOf({ scopes, allowedAddresses }: ApiKey, t: Words): string {
  const [only] = scopes;
  const named = scopes.length === 1 && (only === "all" || only === "read") ? only : undefined;
  const access = named ? t(`accessNames.${named}`) : t("permissionCount", { count: scopes.length });
  const count = allowedAddresses.length;
  return count > 0 ? `${access} · ${t("limited", { count })}` : access;
}

interface KeyDialogProps {
  createKey: FormAction<CreatedKey>;
  choices: KeyChoices;
}

function KeyDialog({ createKey, choices }: KeyDialogProps) {
  const t = useTranslations("apiKeys");
  const { created, setCreated, dialog } = useCreated<CreatedKey>();
  return (
    <Dialog {...dialog}>
      <DialogTrigger asChild>
        <Button variant="solid">
          <Plus aria-hidden />
          {t("create")}
        </Button>
      </DialogTrigger>
      {created ? (
        <DialogContent title={t("createdTitle")} description={t("createdText")}>
          <CreatedKeyView created={created} />
        </DialogContent>
      ) : (
        <DialogContent side="right" title={t("createTitle")}>
          <KeyForm save={createKey} onDone={setCreated} choices={choices} />
        </DialogContent>
      )}
    </Dialog>
  );
}

interface KeyReviewProps {
  keys: readonly ApiKey[];
  keepKey: ((id: string) => Promise<FormAnswer<null>>) | null;
  onRevoke: (key: ApiKey) => void;
}

/** Keys from before their owner confirmed their email address. Each one is either kept or revoked. */
function KeyReview({ keys, keepKey, onRevoke }: KeyReviewProps) {
  const t = useTranslations("apiKeys");
  const runAction = useAction();
  const [shown, hide] = useOptimistic(
    keys.filter(({ needsReview }) => needsReview),
    (before, id: string) => before.filter((key) => key.id !== id),
  );
  if (!keepKey || shown.length === 0) return null;

  function keep({ id, name }: ApiKey) {
    startTransition(async () => {
      hide(id);
      if (keepKey && (await runAction(() => keepKey(id)))) toast.success(t("kept", { name }));
    });
  }

  return (
    <ul className="mb-6 grid gap-3">
      {shown.map((key) => (
        <li
          key={key.id}
          className="flex flex-wrap items-center gap-3 rounded-xl border border-line bg-sunken p-4"
        >
          <div className="min-w-0 flex-1 basis-60 text-sm">
            <p className="truncate font-medium">
              {t("review")}: {key.name} <span className="font-mono text-xs">{key.hint}…</span>
            </p>
            <p className="text-ink-muted">{t("reviewText")}</p>
          </div>
          <Button aria-label={t("keepName", { name: key.name })} onClick={() => keep(key)}>
            {t("keep")}
          </Button>
          <Button aria-label={t("revokeName", { name: key.name })} onClick={() => onRevoke(key)}>
            {t("revoke")}
          </Button>
        </li>
      ))}
    </ul>
  );
}
