"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { type FormAction, useForm } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { Field } from "#components/ui/field";
import { FormError } from "#components/ui/form-error";
import { Input } from "#components/ui/input";
import { Select } from "#components/ui/select";
import { Textarea } from "#components/ui/textarea";
import { toast } from "#components/ui/toast";
import { abuseReasons } from "#lib/basics/abuse/schema";
import { banKinds, noteCharsMax } from "#lib/tenancy/bans/schema";

interface BanFormProps {
  create: FormAction<string>;
  /** Of the address: another page may name what to ban. */
  kind: string;
  subject: string;
}

/** Bans a link, a host, a workspace or a person. */
export function BanForm({ create, kind: given, subject }: BanFormProps) {
  const t = useTranslations("admin.bans");
  const reasons = useTranslations("admin.reasons");
  const [kind, setKind] = useState(banKinds.find((one) => one === given) ?? "link");
  const { form, pending, error, errorOf, typed } = useForm(create, (name) =>
    toast.success(t("created", { name })),
  );
  return (
    <Card heading={t("create")}>
      <form {...form} className="grid gap-4">
        <FormError>{error}</FormError>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={t("kind")}>
            {(control) => (
              <Select
                {...control}
                name="kind"
                value={kind}
                onValueChange={(value) => setKind(banKinds.find((one) => one === value) ?? "link")}
                options={banKinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
              />
            )}
          </Field>
          <Field label={t("subject")} hint={t(`hints.${kind}`)} error={errorOf("subject")}>
            {(control) => (
              <Input
                {...control}
                name="subject"
                autoComplete="off"
                spellCheck={false}
                defaultValue={typed("subject", subject)}
              />
            )}
          </Field>
          <Field label={t("reason")} hint={t("reasonHint")}>
            {(control) => (
              <Select
                {...control}
                name="reason"
                defaultValue={typed("reason", "phishing")}
                options={abuseReasons.map((value) => ({ value, label: reasons(value) }))}
              />
            )}
          </Field>
          <Field
            label={t("endsAt")}
            hint={t("endsAtHint")}
            optional={t("optional")}
            error={errorOf("endsAt")}
          >
            {(control) => (
              <Input
                {...control}
                name="endsAt"
                type="datetime-local"
                defaultValue={typed("endsAt")}
              />
            )}
          </Field>
        </div>
        <Field label={t("explanation")} hint={t("explanationHint")} error={errorOf("note")}>
          {(control) => (
            <Textarea
              {...control}
              name="note"
              rows={2}
              maxLength={noteCharsMax}
              defaultValue={typed("note")}
            />
          )}
        </Field>
        <div>
          <Button type="submit" variant="danger" pending={pending}>
            {t("submit")}
          </Button>
        </div>
      </form>
    </Card>
  );
}
