"use client";

import { useTranslations } from "next-intl";
import { type FormAction, useForm } from "#components/forms/form";
import { Card } from "#components/ui/card";
import { FormSubmit } from "#components/ui/dialog";
import { FormError } from "#components/ui/form-error";
import { toast } from "#components/ui/toast";
import { announcementLevels } from "#lib/tenancy/announcements/schema";
import { InputField, SelectField, TextareaField } from "../ui/labeled.tsx";

/** Times are in UTC. */
export function AnnouncementForm({ create }: { create: FormAction<null> }) {
  const t = useTranslations("admin.announcements");
  const { form, pending, error, errorOf, typed, field } = useForm(create, () =>
    toast.success(t("created")),
  );
  return (
    <Card heading={t("new")}>
      <form {...form} className="grid gap-4">
        <FormError>{error}</FormError>
        {(["textEn", "textZh"] as const).map((name) => (
          <TextareaField {...field(name)} key={name} label={t(name)} rows={2} />
        ))}
        <InputField
          {...field("url")}
          label={t("url")}
          hint={t("urlHint")}
          optional={t("optional")}
          autoComplete="off"
        />
        <div className="grid gap-4 sm:grid-cols-2">
          {(["startsAt", "endsAt"] as const).map((name) => (
            <InputField
              {...field(name)}
              key={name}
              label={t(name)}
              {...(name === "startsAt" ? { hint: t("startsHint") } : {})}
              type="datetime-local"
              autoComplete="off"
            />
          ))}
        </div>
        <SelectField
          label={t("level")}
          error={errorOf("level")}
          name="level"
          defaultValue={typed("level") || "info"}
          options={announcementLevels.map((value) => ({ value, label: t(value) }))}
        />
        <InputField
          {...field("reason")}
          label={t("reason")}
          hint={t("reasonHint")}
          autoComplete="off"
        />
        <FormSubmit pending={pending}>{t("create")}</FormSubmit>
      </form>
    </Card>
  );
}
