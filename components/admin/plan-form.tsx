"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormAction, useForm } from "#components/forms/form";
import { FormSubmit } from "#components/ui/dialog";
import { FormError } from "#components/ui/form-error";
import { toast } from "#components/ui/toast";
import { planNames } from "#lib/platform/config/schema";
import type { PlanState } from "#lib/tenancy/plan-changes/schema";
import { type LimitName, limitNames } from "#lib/tenancy/plans/schema";
import { InputField, SelectField } from "../ui/labeled.tsx";

export function PlanForm({ state, action }: { state: PlanState; action: FormAction<null> }) {
  const t = useTranslations("admin.plan");
  const plans = useTranslations("plans.planNames");
  const router = useRouter();
  const { form, pending, error, errorOf, typed, field } = useForm(action, () => {
    toast.success(t("saved"));
    router.refresh();
  });
  return (
    <form {...form} className="grid gap-5">
      <FormError>{error}</FormError>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <SelectField
          {...field("plan", state.plan)}
          label={t("plan")}
          options={planNames.map((value) => ({ value, label: plans(value) }))}
        />
        <InputField
          {...field("endsAt", state.endsAt?.slice(0, 10) ?? "")}
          label={t("endsAt")}
          hint={t("endsAtHint")}
          type="date"
        />
      </div>
      <LimitFields state={state} typed={typed} error={errorOf("limits")} />
      <InvoiceFields typed={typed} error={errorOf("invoice")} />
      <InputField
        {...field("reason")}
        label={t("reason")}
        hint={t("reasonHint")}
        required
        maxLength={500}
      />
      <FormSubmit pending={pending}>{t("save")}</FormSubmit>
    </form>
  );
}

interface PartProps {
  typed: (name: string, initial?: string) => string;
  error: string | undefined;
}

function LimitFields({ state, typed, error }: PartProps & { state: PlanState }) {
  const t = useTranslations("admin.plan");
  const names = useTranslations("plans.names");
  const labelOf = (name: LimitName) => names(name === "clicksKeptDays" ? "clicksKept" : name);
  const given = (name: LimitName) => {
    const own = state.limits?.[name];
    return own === undefined ? "" : String(own ?? "unlimited");
  };
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1 font-medium text-sm">{t("limits")}</legend>
      <p className={error ? "text-danger text-sm" : "text-ink-muted text-sm"}>
        {error ?? t("limitsHint")}
      </p>
      <div className="grid items-start gap-3 sm:grid-cols-2">
        {limitNames.map((name) => (
          <InputField
            key={name}
            label={labelOf(name)}
            name={`limit.${name}`}
            autoComplete="off"
            maxLength={20}
            defaultValue={typed(`limit.${name}`, given(name))}
          />
        ))}
      </div>
    </fieldset>
  );
}

function InvoiceFields({ typed, error }: PartProps) {
  const t = useTranslations("admin.plan");
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1 font-medium text-sm">{t("invoice")}</legend>
      <p className={error ? "text-danger text-sm" : "text-ink-muted text-sm"}>
        {error ?? t("invoiceHint")}
      </p>
      <div className="grid items-start gap-3 sm:grid-cols-3">
        {(["invoice", "amount", "currency"] as const).map((name) => (
          <InputField
            key={name}
            label={t(`invoiceFields.${name}`)}
            name={name}
            autoComplete="off"
            maxLength={name === "currency" ? 3 : 100}
            defaultValue={typed(name)}
          />
        ))}
      </div>
    </fieldset>
  );
}
