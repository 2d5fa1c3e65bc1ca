"use client";

import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { type FormAction, useForm } from "../forms/form.tsx";
import { useCreated } from "../forms/use-created.ts";
import { Button } from "../ui/button.tsx";
import { CopyField } from "../ui/copy-field.tsx";
import { Dialog, DialogActions, DialogClose, DialogContent, DialogTrigger } from "../ui/dialog.tsx";
import { DialogSubmit } from "../ui/dialog-submit.tsx";
import { Field } from "../ui/field.tsx";
import { FormError } from "../ui/form-error.tsx";
import { Input } from "../ui/input.tsx";

/** A complete key; only the result of its creation contains it. */
export interface CreatedKey {
  key: string;
  name: string;
}

export function KeyDialog({ createKey }: { createKey: FormAction<CreatedKey> }) {
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
        <DialogContent title={t("createTitle")}>
          <KeyForm createKey={createKey} onMade={setCreated} />
        </DialogContent>
      )}
    </Dialog>
  );
}

interface KeyFormProps {
  createKey: FormAction<CreatedKey>;
  onMade: (created: CreatedKey) => void;
}

function KeyForm({ createKey, onMade }: KeyFormProps) {
  const t = useTranslations("apiKeys");
  const { form, pending, error, errorOf, typed } = useForm(createKey, onMade);
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <Field label={t("name")} hint={t("nameHint")} error={errorOf("name")}>
        {(control) => (
          <Input
            {...control}
            name="name"
            autoComplete="off"
            autoFocus
            required
            defaultValue={typed("name")}
          />
        )}
      </Field>
      <DialogSubmit pending={pending}>{t("create")}</DialogSubmit>
    </form>
  );
}

function CreatedKeyView({ created }: { created: CreatedKey }) {
  const t = useTranslations("apiKeys");
  return (
    <div className="grid gap-4">
      <CopyField
        label={t("key", { name: created.name })}
        text={created.key}
        copy={t("copy")}
        className="font-mono text-sm"
      />
      <DialogActions>
        <DialogClose asChild>
          <Button variant="solid">{t("done")}</Button>
        </DialogClose>
      </DialogActions>
    </div>
  );
}
