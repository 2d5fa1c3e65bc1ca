"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { type KeyAccess, type KeyLife, keyAccesses, keyLives } from "#lib/identity/api-keys/schema";
import { keyPermissions } from "#lib/tenancy/access/schema";
import { type FormAction, useForm } from "../forms/form.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { Choice } from "../ui/choice.tsx";
import { DialogSubmit } from "../ui/dialog-submit.tsx";
import { Field } from "../ui/field.tsx";
import { FormError } from "../ui/form-error.tsx";
import { Input } from "../ui/input.tsx";
import { Select } from "../ui/select.tsx";
import { Textarea } from "../ui/textarea.tsx";

/** A complete key; only the result of its creation contains it. */
export interface CreatedKey {
  key: string;
  name: string;
  /** It may create links. */
  mayCreate: boolean;
}

interface KeyFormProps {
  createKey: FormAction<CreatedKey>;
  onMade: (created: CreatedKey) => void;
}

export function KeyForm({ createKey, onMade }: KeyFormProps) {
  const t = useTranslations("apiKeys");
  const common = useTranslations("common");
  const [access, setAccess] = useState<KeyAccess>("all");
  const [life, setLife] = useState<KeyLife>("never");
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
      <Choice
        label={t("access")}
        hint={t(`accessHints.${access}`)}
        name="access"
        value={access}
        onValueChange={setAccess}
        options={keyAccesses.map((value) => ({ value, label: t(`accessNames.${value}`) }))}
      />
      {access === "custom" ? <Permissions error={errorOf("scopes")} /> : null}
      <Field label={t("life")} error={errorOf("life")}>
        {(control) => (
          <Select
            {...control}
            name="life"
            value={life}
            onValueChange={(value) => setLife(keyLives.find((one) => one === value) ?? "never")}
            options={keyLives.map((value) => ({ value, label: t(`lives.${value}`) }))}
          />
        )}
      </Field>
      <Field
        label={t("addresses")}
        hint={t("addressesHint")}
        error={errorOf("allowedAddresses")}
        optional={common("optional")}
      >
        {(control) => (
          <Textarea
            {...control}
            name="allowedAddresses"
            spellCheck={false}
            className="font-mono text-sm"
            defaultValue={typed("allowedAddresses")}
          />
        )}
      </Field>
      <DialogSubmit pending={pending}>{t("create")}</DialogSubmit>
    </form>
  );
}

function Permissions({ error }: { error: string | undefined }) {
  const t = useTranslations("apiKeys");
  return (
    <fieldset className="grid gap-2" aria-invalid={error ? true : undefined}>
      <legend className="mb-1.5 font-medium text-sm">{t("permissions")}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {keyPermissions.map((name) => (
          <Checkbox key={name} name="scopes" value={name} label={t(`permissionNames.${name}`)} />
        ))}
      </div>
      {error ? <p className="text-danger text-sm">{error}</p> : null}
    </fieldset>
  );
}
