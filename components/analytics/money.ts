"use client";

import { useFormatter } from "next-intl";
import { minorDigits } from "#lib/basics/formats/schema";

export function useMoney(currency: string): (amount: number) => string {
  const format = useFormatter();
  return (amount) =>
    format.number(amount / 10 ** (minorDigits(currency) ?? 2), { style: "currency", currency });
}
