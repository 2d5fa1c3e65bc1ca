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
  decide: KeyDecisions | null;
  revokeKey: ((id: string) => Promise<FormAnswer<null>>) | null;
}

export function KeyManager(props: KeyManagerProps) {
  const { keys, choices, href, createKey, decide, revokeKey } = props;
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
          {decide ? <KeyReview keys={shown} decide={decide} onRevoke={ask} /> : null}
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
          cell: ({ id, name, pendingApproval, pausedAt }) => (
            <>
              <PrefetchLink href={`${href}/${id}`} className="hover:underline">
                {name}
              </PrefetchLink>
              {pendingApproval || pausedAt ? (
                <Badge tone="yellow" className="ml-2">
                  {t(pendingApproval ? "pending" : "paused")}
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

type Decision = (id: string) => Promise<FormAnswer<null>>;

interface KeyDecisions {
  keep: Decision;
  resume: Decision;
}

interface KeyReviewProps {
  keys: readonly ApiKey[];
  decide: KeyDecisions;
  onRevoke: (key: ApiKey) => void;
}

/**
 * Keys from before their owner confirmed their email address are kept or revoked; keys of people who left are resumed or
 * revoked.
 */
function KeyReview({ keys, decide, onRevoke }: KeyReviewProps) {
  const t = useTranslations("apiKeys");
  const runAction = useAction();
  const [shown, hide] = useOptimistic(
    keys.filter(({ needsReview, pausedAt }) => needsReview || pausedAt !== null),
    (before, id: string) => before.filter((key) => key.id !== id),
  );
  if (shown.length === 0) return null;

  function settle({ id, name }: ApiKey, decision: Decision, message: "kept" | "resumed") {
    startTransition(async () => {
      hide(id);
      if (await runAction(() => decision(id))) toast.success(t(message, { name }));
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
              {t(key.pausedAt ? "pausedNamed" : "review", { name: key.name })}{" "}
              <span className="font-mono text-xs">{key.hint}…</span>
            </p>
            <p className="text-ink-muted">{t(key.pausedAt ? "pausedText" : "reviewText")}</p>
          </div>
          <div className="flex gap-3">
            {key.pausedAt ? (
              <Button
                aria-label={t("resumeName", { name: key.name })}
                onClick={() => settle(key, decide.resume, "resumed")}
              >
                {t("resume")}
              </Button>
            ) : (
              <Button
                aria-label={t("keepName", { name: key.name })}
                onClick={() => settle(key, decide.keep, "kept")}
              >
                {t("keep")}
              </Button>
            )}
            <Button aria-label={t("revokeName", { name: key.name })} onClick={() => onRevoke(key)}>
              {t("revoke")}
            </Button>
          </div>
        </li>
      ))}
    </ul>
  );
}
