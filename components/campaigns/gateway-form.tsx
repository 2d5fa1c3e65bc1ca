"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { type FormAction, useForm } from "#components/forms/form";
import { Choice } from "#components/ui/choice";
import { DialogSubmit } from "#components/ui/dialog-submit";
import { FormError } from "#components/ui/form-error";
import { namesIn } from "#lib/basics/variants/schema";
import { type Gateway, rateDefault, rateMax } from "#lib/outreach/gateway-accounts/schema";
import { type GatewayKindName, gatewayKinds } from "#lib/outreach/gateways/schema";
import { InputField } from "../ui/labeled.tsx";
import { GatewayInputs } from "./gateway-fields.tsx";

interface GatewayFormProps {
  save: FormAction<null>;
  onDone: () => void;
  /** Undefined: a new one. */
  edited?: Gateway;
}

const kinds = namesIn(gatewayKinds);

/** The fields of a gateway. A secret is never shown: an empty field keeps it. */
export function GatewayForm({ save, onDone, edited }: GatewayFormProps) {
  const t = useTranslations("gateways");
  const [kind, setKind] = useState<GatewayKindName>(edited?.settings.kind ?? "http");
  const { form, pending, error, errorOf, typed, field } = useForm(save, onDone);
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <Choice
        label={t("kind")}
        hint={t(`kindHints.${kind}`)}
        name="kind"
        value={kind}
        onValueChange={setKind}
        options={kinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
      />
      <InputField {...field("name", edited?.name)} label={t("name")} autoComplete="off" required />
      <GatewayInputs
        key={kind}
        kind={kind}
        settings={edited?.settings.kind === kind ? edited.settings : undefined}
        errorOf={errorOf}
        typed={typed}
      />
      <InputField
        label={t(`secrets.${kind}`)}
        hint={t(edited ? "secretKept" : "secretHint")}
        error={errorOf("secret")}
        name="secret"
        type="password"
        autoComplete="off"
        className="font-mono"
      />
      <InputField
        {...field("rate", String(edited?.rate ?? rateDefault))}
        label={t("rate")}
        hint={t("rateHint", { max: rateMax })}
        type="number"
        inputMode="numeric"
        min={1}
        max={rateMax}
      />
      <DialogSubmit pending={pending}>{t(edited ? "save" : "addTitle")}</DialogSubmit>
    </form>
  );
}
