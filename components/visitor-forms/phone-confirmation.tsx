"use client";

import { useTranslations } from "next-intl";
import { Switch } from "#components/ui/switch";
import { InputField, SelectField } from "../ui/labeled.tsx";
import type { FormDraft } from "./form-draft.ts";

export interface GatewayChoice {
  id: string;
  name: string;
}

interface PhoneConfirmationProps {
  draft: FormDraft;
  change: (changes: Partial<FormDraft>) => void;
  gateways: readonly GatewayChoice[];
  error: string | undefined;
  countriesError: string | undefined;
}

/** A select element has no empty value. */
const logValue = "log";

/** The code by SMS, and what sends it. */
export function PhoneConfirmation({
  draft,
  change,
  gateways,
  error,
  countriesError,
}: PhoneConfirmationProps) {
  const t = useTranslations("forms");
  const { confirmPhone, codeCountries, gatewayId } = draft;
  return (
    <>
      <Switch
        label={t("confirmPhone")}
        hint={t("confirmPhoneHint")}
        checked={confirmPhone}
        onCheckedChange={(checked) => change({ confirmPhone: checked })}
      />
      {confirmPhone ? (
        <InputField
          label={t("codeCountries")}
          hint={t("codeCountriesHint")}
          error={countriesError}
          autoComplete="off"
          spellCheck={false}
          placeholder="CN, US"
          value={codeCountries}
          onChange={({ target }) => change({ codeCountries: target.value })}
        />
      ) : null}
      {confirmPhone ? (
        <SelectField
          label={t("gateway")}
          hint={gatewayId === null ? t("logHint") : t("gatewayHint")}
          error={error}
          value={gatewayId ?? logValue}
          onValueChange={(value) => change({ gatewayId: value === logValue ? null : value })}
          options={[
            { value: logValue, label: t("log") },
            ...gateways.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      ) : null}
    </>
  );
}
