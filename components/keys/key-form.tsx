"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { type FormAction, useForm } from "#components/forms/form";
import { Checkbox } from "#components/ui/checkbox";
import { Choice } from "#components/ui/choice";
import { DialogSubmit } from "#components/ui/dialog";
import { FormError } from "#components/ui/form-error";
import {
  type ApiKey,
  type EditedKeyLife,
  editedKeyLives,
  type KeyAccess,
  keyAccesses,
  keyLives,
} from "#lib/identity/api-keys/schema";
import { keyPermissions } from "#lib/tenancy/access/schema";
import { InputField, SelectField } from "../ui/labeled.tsx";
import { type KeyChoices, KeyLimits } from "./key-limits.tsx";

interface KeyFormProps<Done> {
  save: FormAction<Done>;
  onDone: (done: Done) => void;
  choices: KeyChoices;
  edited?: ApiKey;
}

export function KeyForm<Done>({ save, onDone, choices, edited }: KeyFormProps<Done>) {
  const t = useTranslations("apiKeys");
  const [access, setAccess] = useState<KeyAccess>(accessOf(edited));
  const [life, setLife] = useState<EditedKeyLife>(edited ? "keep" : "never");
  const { form, pending, error, errorOf, typed, field } = useForm(save, onDone);
  const lives: readonly EditedKeyLife[] = edited ? editedKeyLives : keyLives;
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <InputField
        {...field("name", edited?.name)}
        label={t("name")}
        hint={t("nameHint")}
        autoComplete="off"
        autoFocus
        required
      />
      <Choice
        label={t("access")}
        hint={t(`accessHints.${access}`)}
        name="access"
        value={access}
        onValueChange={setAccess}
        options={keyAccesses.map((value) => ({ value, label: t(`accessNames.${value}`) }))}
      />
      {access === "custom" ? (
        <Permissions error={errorOf("scopes")} granted={edited?.scopes ?? []} />
      ) : null}
      <SelectField
        label={t("life")}
        error={errorOf("life")}
        name="life"
        value={life}
        onValueChange={(value) => setLife(lives.find((one) => one === value) ?? life)}
        options={lives.map((value) => ({ value, label: t(`lives.${value}`) }))}
      />
      <KeyLimits choices={choices} edited={edited} errorOf={errorOf} typed={typed} />
      <DialogSubmit pending={pending}>{t(edited ? "save" : "create")}</DialogSubmit>
    </form>
  );
}

function accessOf(key: ApiKey | undefined): KeyAccess {
  if (!key) return "all";
  const [only] = key.scopes;
  return key.scopes.length === 1 && (only === "all" || only === "read") ? only : "custom";
}

interface PermissionsProps {
  error: string | undefined;
  granted: readonly string[];
}

function Permissions({ error, granted }: PermissionsProps) {
  const t = useTranslations("apiKeys");
  return (
    <fieldset className="grid gap-2" aria-invalid={error ? true : undefined}>
      <legend className="mb-1.5 font-medium text-sm">{t("permissions")}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {keyPermissions.map((name) => (
          <Checkbox
            key={name}
            name="scopes"
            value={name}
            label={t(`permissionNames.${name}`)}
            defaultChecked={granted.includes(name)}
          />
        ))}
      </div>
      {error ? <p className="text-danger text-sm">{error}</p> : null}
    </fieldset>
  );
}
