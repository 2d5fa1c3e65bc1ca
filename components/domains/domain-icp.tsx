"use client";

import { useTranslations } from "next-intl";
import { type FormAction, useForm } from "#components/forms/form";
import { Card } from "#components/ui/card";
import { FormSubmit } from "#components/ui/dialog";
import { FormError } from "#components/ui/form-error";
import { toast } from "#components/ui/toast";
import { icpCharsMax } from "#lib/basics/formats/schema";
import { InputField } from "../ui/labeled.tsx";

export function DomainIcp({ icp, save }: { icp: string; save: FormAction<null> }) {
  const t = useTranslations("domains");
  const common = useTranslations("common");
  const { form, pending, error, field } = useForm(save, () => toast.success(common("saved")));
  return (
    <Card heading={t("icp")} note={t("icpNote")}>
      <form {...form} className="grid gap-4">
        <FormError>{error}</FormError>
        <InputField
          {...field("icp", icp)}
          label={t("icpNumber")}
          autoComplete="off"
          maxLength={icpCharsMax}
          placeholder="京ICP备12345678号-1"
        />
        <FormSubmit pending={pending}>{t("icpSave")}</FormSubmit>
      </form>
    </Card>
  );
}
