"use client";

import { useTranslations } from "next-intl";
import { type FormAction, useForm } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { FormError } from "#components/ui/form-error";
import { toast } from "#components/ui/toast";
import { icpCharsMax } from "#lib/basics/formats/schema";
import { InputField } from "../ui/labeled.tsx";

interface DomainIcpProps {
  icp: string;
  save: FormAction<null>;
}

/** The ICP number on the visitor pages of a domain. */
export function DomainIcp({ icp, save }: DomainIcpProps) {
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
        <div>
          <Button type="submit" variant="solid" pending={pending}>
            {t("icpSave")}
          </Button>
        </div>
      </form>
    </Card>
  );
}
