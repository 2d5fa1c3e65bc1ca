import type { useFormatter } from "next-intl";

/** Amounts have up to six decimals, because a part of a message costs little. */
const decimalsMax = 6;

/** An amount of the API in the reader’s language. */
export function moneyOf(
  format: Pick<ReturnType<typeof useFormatter>, "number">,
  amount: string,
  currency: string,
): string {
  return format.number(Number(amount), {
    style: "currency",
    currency,
    maximumFractionDigits: Number(amount) < 1 ? decimalsMax : 2,
  });
}
