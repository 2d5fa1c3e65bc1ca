/** What parts of messages cost. Amounts are whole millionths of the unit of a currency, so that sums are exact. */
import type { Prices } from "./schema.ts";

const decimals = 6;
const anyCountry = "default";

/** What this many parts cost to a country, as millionths; null: there is no price for it. */
function millionthsOf(parts: number, country: string, prices: Prices | null): bigint | null {
  const text = prices && (prices.perPart[country] ?? prices.perPart[anyCountry]);
  return text ? BigInt(parts) * parseAmount(text) : null;
}

function parseAmount(text: string): bigint {
  const [whole = "0", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}

function formatAmount(millionths: bigint): string {
  const digits = String(millionths).padStart(decimals + 1, "0");
  const fraction = digits.slice(-decimals).replace(/0+$/, "");
  const whole = digits.slice(0, -decimals);
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

/** The cost of parts to a country as a decimal number; null: there is no price for it. */
export function costOf(parts: number, country: string, prices: Prices | null): string | null {
  const cost = millionthsOf(parts, country, prices);
  return cost === null ? null : formatAmount(cost);
}

/** The sum of costs; those without a price are left out. */
export function addCosts(costs: Iterable<string | null>): string {
  let sum = 0n;
  for (const cost of costs) if (cost !== null) sum += parseAmount(cost);
  return formatAmount(sum);
}

interface Saving {
  parts: number;
  cost: string | null;
}

/** What a message saves that needs fewer parts with a short link than with its destination. Never negative. */
export function savingOf(
  partsWithLink: number,
  partsWithUrl: number,
  country: string,
  prices: Prices | null,
): Saving {
  const parts = Math.max(0, partsWithUrl - partsWithLink);
  return { parts, cost: costOf(parts, country, prices) };
}
