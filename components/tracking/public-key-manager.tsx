"use client";

import { Radar, Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { type FormAction, type FormAnswer, useForm } from "#components/forms/form";
import { CardManager } from "#components/named/card-manager";
import { Button } from "#components/ui/button";
import { CopyButton } from "#components/ui/copy-button";
import { DialogSubmit } from "#components/ui/dialog";
import { FormError } from "#components/ui/form-error";
import type { TrackingKey } from "#lib/analytics/tracking-keys/schema";
import { InputField, TextareaField } from "../ui/labeled.tsx";

interface PublicKeyManagerProps {
  keys: readonly TrackingKey[];
  origin: string;
  change: { create: FormAction<null>; remove: (id: string) => Promise<FormAnswer<null>> } | null;
}

export function PublicKeyManager({ keys, origin, change }: PublicKeyManagerProps) {
  return (
    <CardManager
      messages="publicKeys"
      icon={<Radar aria-hidden />}
      things={keys}
      card={(key, onDelete) => (
        <KeyCard publicKey={key} origin={origin} onDelete={change ? onDelete : undefined} />
      )}
      form={change ? (onDone) => <KeyForm create={change.create} onDone={onDone} /> : null}
      remove={change?.remove}
    />
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

function KeyForm({ create, onDone }: { create: FormAction<null>; onDone: () => void }) {
  const t = useTranslations("publicKeys");
  const { form, pending, error, field } = useForm(create, onDone);
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <InputField {...field("name")} label={t("name")} autoComplete="off" required />
      <TextareaField
        {...field("hosts")}
        label={t("hosts")}
        hint={t("hostsHint")}
        rows={3}
        required
        spellCheck={false}
        placeholder="shop.example.com"
      />
      <DialogSubmit pending={pending}>{t("add")}</DialogSubmit>
    </form>
  );
}
