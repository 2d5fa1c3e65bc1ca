"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { type FormAction, useForm } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { FormError } from "#components/ui/form-error";
import { toast } from "#components/ui/toast";
import { abuseReasons } from "#lib/basics/abuse/schema";
import { banKinds, noteCharsMax } from "#lib/tenancy/bans/schema";
import { InputField, SelectField, TextareaField } from "../ui/labeled.tsx";

interface BanFormProps {
  create: FormAction<string>;
  /** From the query parameters, because other pages link here with the subject to ban. */
  kind: string;
  subject: string;
}

export function BanForm({ create, kind: given, subject }: BanFormProps) {
  const t = useTranslations("admin.bans");
  const reasons = useTranslations("admin.reasons");
  const [kind, setKind] = useState(banKinds.find((one) => one === given) ?? "link");
  const { form, pending, error, typed, field } = useForm(create, (name) =>
    toast.success(t("created", { name })),
  );
  return (
    <Card heading={t("create")}>
      <form {...form} className="grid gap-4">
        <FormError>{error}</FormError>
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label={t("kind")}
            name="kind"
            value={kind}
            onValueChange={(value) => setKind(banKinds.find((one) => one === value) ?? "link")}
            options={banKinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
          />
          <InputField
            {...field("subject", subject)}
            label={t("subject")}
            hint={t(`hints.${kind}`)}
            autoComplete="off"
            spellCheck={false}
          />
          <SelectField
            label={t("reason")}
            hint={t("reasonHint")}
            name="reason"
            defaultValue={typed("reason", "phishing")}
            options={abuseReasons.map((value) => ({ value, label: reasons(value) }))}
          />
          <InputField
            {...field("endsAt")}
            label={t("endsAt")}
            hint={t("endsAtHint")}
            optional={t("optional")}
            type="datetime-local"
          />
        </div>
        <TextareaField
          {...field("note")}
          label={t("explanation")}
          hint={t("explanationHint")}
          rows={2}
          maxLength={noteCharsMax}
        />
        <div>
          <Button type="submit" variant="danger" pending={pending}>
            {t("submit")}
          </Button>
        </div>
      </form>
    </Card>
  );
}
