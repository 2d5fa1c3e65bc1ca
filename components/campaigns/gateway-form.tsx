"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { type Gateway, rateDefault, rateMax } from "#lib/outreach/gateway-accounts/schema";
import { type FormAction, useForm } from "../forms/form.tsx";
import { Choice } from "../ui/choice.tsx";
import { DialogSubmit } from "../ui/dialog-submit.tsx";
import { Field } from "../ui/field.tsx";
import { FormError } from "../ui/form-error.tsx";
import { Input } from "../ui/input.tsx";
import { AlibabaFields, type FieldsProps, HttpFields, TwilioFields } from "./gateway-fields.tsx";

interface GatewayFormProps {
  save: FormAction<null>;
  onDone: () => void;
  /** Undefined: a new one. */
  edited?: Gateway;
}

const kinds = ["http", "twilio", "alibaba"] as const;
type Kind = (typeof kinds)[number];

const fieldsOf: Readonly<Record<Kind, (props: FieldsProps) => ReactNode>> = {
  http: HttpFields,
  twilio: TwilioFields,
  alibaba: AlibabaFields,
};

/** The fields of a gateway. A secret is never shown: an empty field keeps it. */
export function GatewayForm({ save, onDone, edited }: GatewayFormProps) {
  const t = useTranslations("gateways");
  const [kind, setKind] = useState<Kind>(edited?.settings.kind ?? "http");
  const { form, pending, error, errorOf, typed } = useForm(save, onDone);
  const KindFields = fieldsOf[kind];
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
      <Field label={t("name")} error={errorOf("name")}>
        {(control) => (
          <Input
            {...control}
            name="name"
            autoComplete="off"
            required
            defaultValue={typed("name", edited?.name)}
          />
        )}
      </Field>
      <KindFields settings={edited?.settings} errorOf={errorOf} typed={typed} />
      <Field
        label={t(`secrets.${kind}`)}
        hint={t(edited ? "secretKept" : "secretHint")}
        error={errorOf("secret")}
      >
        {(control) => (
          <Input
            {...control}
            name="secret"
            type="password"
            autoComplete="off"
            className="font-mono"
          />
        )}
      </Field>
      <Field label={t("rate")} hint={t("rateHint", { max: rateMax })} error={errorOf("rate")}>
        {(control) => (
          <Input
            {...control}
            name="rate"
            type="number"
            inputMode="numeric"
            min={1}
            max={rateMax}
            defaultValue={typed("rate", String(edited?.rate ?? rateDefault))}
          />
        )}
      </Field>
      <DialogSubmit pending={pending}>{t(edited ? "save" : "addTitle")}</DialogSubmit>
    </form>
  );
}
