"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormAction, useForm } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Field } from "#components/ui/field";
import { FormError } from "#components/ui/form-error";
import { Input } from "#components/ui/input";
import { Select } from "#components/ui/select";
import { toast } from "#components/ui/toast";
import { planNames } from "#lib/platform/config/schema";
import type { PlanState } from "#lib/tenancy/plan-changes/schema";
import { type LimitName, limitNames } from "#lib/tenancy/plans/schema";

interface PlanFormProps {
  state: PlanState;
  action: FormAction<null>;
}

/** Plan, end, limits and invoice of a workspace. */
export function PlanForm({ state, action }: PlanFormProps) {
  const t = useTranslations("admin.plan");
  const plans = useTranslations("plans.planNames");
  const router = useRouter();
  const { form, pending, error, errorOf, typed } = useForm(action, () => {
    toast.success(t("saved"));
    router.refresh();
  });
  return (
    <form {...form} className="grid gap-5">
      <FormError>{error}</FormError>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label={t("plan")} error={errorOf("plan")}>
          {(control) => (
            <Select
              {...control}
              name="plan"
              options={planNames.map((value) => ({ value, label: plans(value) }))}
              defaultValue={typed("plan", state.plan)}
            />
          )}
        </Field>
        <Field label={t("endsAt")} hint={t("endsAtHint")} error={errorOf("endsAt")}>
          {(control) => (
            <Input
              {...control}
              type="date"
              name="endsAt"
              defaultValue={typed("endsAt", state.endsAt?.slice(0, 10) ?? "")}
            />
          )}
        </Field>
      </div>
      <LimitFields state={state} typed={typed} error={errorOf("limits")} />
      <InvoiceFields typed={typed} error={errorOf("invoice")} />
      <Field label={t("reason")} hint={t("reasonHint")} error={errorOf("reason")}>
        {(control) => (
          <Input
            {...control}
            name="reason"
            required
            maxLength={500}
            defaultValue={typed("reason")}
          />
        )}
      </Field>
      <div>
        <Button type="submit" variant="solid" pending={pending}>
          {t("save")}
        </Button>
      </div>
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
          <Field key={name} label={labelOf(name)}>
            {(control) => (
              <Input
                {...control}
                name={`limit.${name}`}
                autoComplete="off"
                maxLength={20}
                defaultValue={typed(`limit.${name}`, given(name))}
              />
            )}
          </Field>
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
          <Field key={name} label={t(`invoiceFields.${name}`)}>
            {(control) => (
              <Input
                {...control}
                name={name}
                autoComplete="off"
                maxLength={name === "currency" ? 3 : 100}
                defaultValue={typed(name)}
              />
            )}
          </Field>
        ))}
      </div>
    </fieldset>
  );
}
