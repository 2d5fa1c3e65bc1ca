"use client";

import { useTranslations } from "next-intl";
import { type FormAction, useForm } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { Field } from "#components/ui/field";
import { FormError } from "#components/ui/form-error";
import { Input } from "#components/ui/input";
import { Select } from "#components/ui/select";
import { Textarea } from "#components/ui/textarea";
import { toast } from "#components/ui/toast";
import { announcementLevels } from "#lib/tenancy/announcements/schema";

/** Creates an announcement. Times are in UTC. */
export function AnnouncementForm({ create }: { create: FormAction<null> }) {
  const t = useTranslations("admin.announcements");
  const { form, pending, error, errorOf, typed } = useForm(create, () =>
    toast.success(t("created")),
  );
  return (
    <Card heading={t("new")}>
      <form {...form} className="grid gap-4">
        <FormError>{error}</FormError>
        {(["textEn", "textZh"] as const).map((name) => (
          <Field key={name} label={t(name)} error={errorOf(name)}>
            {(control) => <Textarea {...control} name={name} rows={2} defaultValue={typed(name)} />}
          </Field>
        ))}
        <Field label={t("url")} hint={t("urlHint")} optional={t("optional")} error={errorOf("url")}>
          {(control) => (
            <Input {...control} name="url" autoComplete="off" defaultValue={typed("url")} />
          )}
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          {(["startsAt", "endsAt"] as const).map((name) => (
            <Field
              key={name}
              label={t(name)}
              error={errorOf(name)}
              {...(name === "startsAt" ? { hint: t("startsHint") } : {})}
            >
              {(control) => (
                <Input
                  {...control}
                  name={name}
                  type="datetime-local"
                  autoComplete="off"
                  defaultValue={typed(name)}
                />
              )}
            </Field>
          ))}
        </div>
        <Field label={t("level")} error={errorOf("level")}>
          {(control) => (
            <Select
              {...control}
              name="level"
              defaultValue={typed("level") || "info"}
              options={announcementLevels.map((value) => ({ value, label: t(value) }))}
            />
          )}
        </Field>
        <Field label={t("reason")} hint={t("reasonHint")} error={errorOf("reason")}>
          {(control) => (
            <Input {...control} name="reason" autoComplete="off" defaultValue={typed("reason")} />
          )}
        </Field>
        <div>
          <Button type="submit" variant="solid" pending={pending}>
            {t("create")}
          </Button>
        </div>
      </form>
    </Card>
  );
}
