"use client";

import { Plus, Radar, Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { TrackingKey } from "#lib/analytics/tracking-keys/schema";
import { type FormAction, type FormAnswer, useForm } from "../forms/form.tsx";
import { useRemoval } from "../forms/removal.ts";
import { PageHead } from "../shell/page-head.tsx";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Dialog, DialogContent, DialogTrigger } from "../ui/dialog.tsx";
import { DialogSubmit } from "../ui/dialog-submit.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Field } from "../ui/field.tsx";
import { FormError } from "../ui/form-error.tsx";
import { Input } from "../ui/input.tsx";
import { Textarea } from "../ui/textarea.tsx";

interface PublicKeyChanges {
  create: FormAction<null>;
  remove: (id: string) => Promise<FormAnswer<null>>;
}

interface PublicKeyManagerProps {
  keys: readonly TrackingKey[];
  /** Of the script. */
  origin: string;
  /** Null: read-only. */
  change: PublicKeyChanges | null;
}

/** The public keys of a workspace, each with the script of its site. */
export function PublicKeyManager({ keys, origin, change }: PublicKeyManagerProps) {
  const t = useTranslations("publicKeys");
  const { shown, ask, question } = useRemoval(keys, change?.remove, {
    removed: (name) => t("deleted", { name }),
    notRemoved: (name) => t("notDeleted", { name }),
  });
  return (
    <>
      <PageHead heading={t("heading")} note={t("note")}>
        {change ? <AddKey create={change.create} /> : null}
      </PageHead>
      {shown.length > 0 ? (
        <ul aria-label={t("heading")} className="grid max-w-3xl gap-4">
          {shown.map((key) => (
            <li key={key.id}>
              <KeyCard
                publicKey={key}
                origin={origin}
                onDelete={change ? () => ask(key) : undefined}
              />
            </li>
          ))}
        </ul>
      ) : (
        <EmptyState icon={<Radar aria-hidden />} title={t("emptyTitle")}>
          {t(change ? "emptyText" : "emptyReader")}
        </EmptyState>
      )}
      {question ? (
        <ConfirmDialog
          {...question.dialog}
          title={t("deleteTitle", { name: question.thing.name })}
          action={t("deleteAction")}
        >
          {t("deleteText")}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

interface KeyCardProps {
  publicKey: TrackingKey;
  origin: string;
  onDelete: (() => void) | undefined;
}

function KeyCard({ publicKey: { name, key, hosts }, origin, onDelete }: KeyCardProps) {
  const t = useTranslations("publicKeys");
  const script = `<script defer src="${origin}/api/track/script.js" data-key="${key}"></script>`;
  return (
    <article className="grid gap-3 rounded-xl border border-line bg-surface p-4">
      <div className="flex items-start gap-2">
        <div className="mr-auto min-w-0">
          <h2 className="truncate font-medium">{name}</h2>
          <p className="break-words text-ink-muted text-sm">
            {t("hostsOf", { hosts: hosts.join(", ") })}
          </p>
        </div>
        {onDelete ? (
          <Button
            variant="ghost"
            size="icon"
            aria-label={t("deleteOf", { name })}
            onClick={onDelete}
          >
            <Trash2 aria-hidden />
          </Button>
        ) : null}
      </div>
      <div className="flex items-center gap-2 rounded-lg bg-sunken py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 break-all py-1 text-xs">{script}</code>
        <CopyButton text={script} label={t("copyOf", { name })} />
      </div>
    </article>
  );
}

function AddKey({ create }: Pick<PublicKeyChanges, "create">) {
  const t = useTranslations("publicKeys");
  const [open, setOpen] = useState(false);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button variant="solid">
          <Plus aria-hidden />
          {t("add")}
        </Button>
      </DialogTrigger>
      <DialogContent title={t("add")} description={t("addText")}>
        <KeyForm create={create} onDone={() => setOpen(false)} />
      </DialogContent>
    </Dialog>
  );
}

function KeyForm({ create, onDone }: { create: FormAction<null>; onDone: () => void }) {
  const t = useTranslations("publicKeys");
  const { form, pending, error, errorOf, typed } = useForm(create, onDone);
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <Field label={t("name")} error={errorOf("name")}>
        {(control) => (
          <Input
            {...control}
            name="name"
            autoComplete="off"
            required
            defaultValue={typed("name")}
          />
        )}
      </Field>
      <Field label={t("hosts")} hint={t("hostsHint")} error={errorOf("hosts")}>
        {(control) => (
          <Textarea
            {...control}
            name="hosts"
            rows={3}
            required
            spellCheck={false}
            placeholder="shop.example.com"
            defaultValue={typed("hosts")}
          />
        )}
      </Field>
      <DialogSubmit pending={pending}>{t("add")}</DialogSubmit>
    </form>
  );
}
