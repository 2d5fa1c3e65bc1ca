"use client";

import { useFormatter, useTranslations } from "next-intl";
import { printMillimetersMax, printMillimetersMin } from "#lib/outreach/qr/schema";
import { InputField } from "../ui/labeled.tsx";

export const millimetersUsual = 50;

/** Undefined if a PDF cannot have this width. */
export function readMillimeters(text: string): number | undefined {
  const value = Number(text.trim().replace(",", "."));
  return value >= printMillimetersMin && value <= printMillimetersMax ? value : undefined;
}

interface PrintWidthFieldProps {
  value: string;
  onValueChange: (text: string) => void;
}

export function PrintWidthField({ value, onValueChange }: PrintWidthFieldProps) {
  const t = useTranslations("qr");
  const format = useFormatter();
  const limits = {
    min: format.number(printMillimetersMin),
    max: format.number(printMillimetersMax),
  };
  return (
    <InputField
      label={t("printWidth")}
      error={readMillimeters(value) === undefined ? t("printWidthInvalid", limits) : undefined}
      inputMode="decimal"
      autoComplete="off"
      maxLength={7}
      value={value}
      onChange={({ target }) => onValueChange(target.value)}
    />
  );
}
