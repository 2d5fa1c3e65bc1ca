import { isRate, minorDigits, type Rates } from "#lib/basics/formats/schema";
import { parseUrl } from "#lib/basics/urls/schema";
import { addressesOf, parseAddress } from "#lib/platform/postgres-addresses";
import { type PlanName, planNames } from "./schema.ts";

export type Parse<T> = (text: string) => T;

/** The message ends the sentence "PORT must be …". */
export class InvalidValue extends Error {}

export type Prices = Partial<Record<PlanName, string>>;

/** `free=0 €; personal=9 € a month` */
export const prices: Parse<Prices> = (value) => {
  const entries = value.split(";").filter((entry) => entry.trim() !== "");
  const known: Prices = {};
  for (const entry of entries) {
    const [given = "", ...rest] = entry.split("=");
    const name = planNames.find((one) => one === given.trim());
    const price = rest.join("=").trim();
    if (!name || price === "") {
      throw new InvalidValue(
        `prices for ${planNames.join(", ")}, such as free=0 €; personal=9 € a month`,
      );
    }
    known[name] = price;
  }
  return known;
};

/** `<plan> <term> <currency>=<amount>` of FUXI_STRIPE_OFFERS. */
export interface Offer {
  plan: "trial" | "personal" | "enterprise";
  term: "month" | "year" | "trial" | number;
  currency: string;
  amount: number;
}

/** Stripe's smallest charge and the decimals of each currency (docs.stripe.com/currencies). */
const currencies: Readonly<Record<string, { least: number; decimals: number }>> = {
  aud: { least: 50, decimals: 2 },
  brl: { least: 50, decimals: 2 },
  cad: { least: 50, decimals: 2 },
  chf: { least: 50, decimals: 2 },
  cny: { least: 400, decimals: 2 },
  czk: { least: 1_500, decimals: 2 },
  dkk: { least: 250, decimals: 2 },
  eur: { least: 50, decimals: 2 },
  gbp: { least: 30, decimals: 2 },
  hkd: { least: 400, decimals: 2 },
  inr: { least: 50, decimals: 2 },
  jpy: { least: 50, decimals: 0 },
  mxn: { least: 1_000, decimals: 2 },
  nok: { least: 300, decimals: 2 },
  nzd: { least: 50, decimals: 2 },
  pln: { least: 200, decimals: 2 },
  ron: { least: 200, decimals: 2 },
  sek: { least: 300, decimals: 2 },
  sgd: { least: 50, decimals: 2 },
  usd: { least: 50, decimals: 2 },
};

export function decimalsOf(currency: string): number {
  return currencies[currency]?.decimals ?? 2;
}

const monthsMax = 36;
const offerExample = "offers such as personal month eur=9; personal 12 cny=600; trial eur=1";

export const offers: Parse<Offer[]> = (value) => {
  const list = value
    .split(";")
    .filter((entry) => entry.trim() !== "")
    .map(parseOffer);
  const names = list.map(({ plan, term, currency }) => `${plan} ${term} ${currency}`);
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated)
    throw new InvalidValue(`${offerExample}, with each once, but "${repeated}" is repeated`);
  return list;
};

function parseOffer(entry: string): Offer {
  const found =
    /^(trial|personal|enterprise)(?: (month|year|\d{1,2}))? ([a-z]{3})=(\d{1,7}(?:\.\d{1,2})?)$/.exec(
      entry.trim(),
    );
  const [, name, given, currency = "", amount = ""] = found ?? [];
  const plan = name === "trial" || name === "personal" || name === "enterprise" ? name : undefined;
  const term = plan === "trial" ? "trial" : termOf(given);
  const known = currencies[currency];
  if (!plan || term === undefined || !known || (plan === "trial") !== (given === undefined)) {
    throw new InvalidValue(
      `${offerExample}, in one of ${Object.keys(currencies).join(", ")}, which "${entry.trim().slice(0, 100)}" is not`,
    );
  }
  const units = Math.round(Number(amount) * 10 ** known.decimals);
  if (units < known.least || Math.abs(units / 10 ** known.decimals - Number(amount)) > 1e-9) {
    throw new InvalidValue(
      `${offerExample}. Stripe charges at least ${known.least / 10 ** known.decimals} ${currency.toUpperCase()}; sell "${entry.trim()}" by invoice instead`,
    );
  }
  return { plan, term, currency, amount: units };
}

function termOf(given: string | undefined): Offer["term"] | undefined {
  if (given === "month" || given === "year") return given;
  const months = Number(given);
  return months >= 1 && months <= monthsMax ? months : undefined;
}

export function secretStartingWith(...starts: string[]): Parse<string> {
  return (value) => {
    if (starts.some((start) => value.startsWith(start)) && /^\w{16,300}$/.test(value)) return value;
    throw new InvalidValue(`a key of Stripe that starts with ${starts.join(" or ")}`);
  };
}

const loopbackHosts: ReadonlySet<string> = new Set(["127.0.0.1", "[::1]", "localhost"]);

/** Secrets are sent to this URL, so plain HTTP is only allowed on this machine. */
function parseSecureUrl(value: string): URL | undefined {
  const url = parseUrl(value);
  const isSafe =
    // defence: stripe-key-receiver
    url?.protocol === "https:" || (url?.protocol === "http:" && loopbackHosts.has(url.hostname));
  return isSafe ? url : undefined;
}

export const secureOrigin: Parse<string> = (value) => {
  if (parseSecureUrl(value)?.origin === value) return value;
  throw new InvalidValue("an origin that starts with https://, or with http:// on loopback");
};

/** An https URL with the placeholder {domain}, or an http one on loopback. */
export const domainAddress: Parse<string> = (value) => {
  if (parseSecureUrl(value) && value.includes("{domain}")) return value;
  throw new InvalidValue(
    "a URL that starts with https:// and has {domain}, such as https://checker.example/?domain={domain}",
  );
};

export const currency: Parse<string> = (value) => {
  if (minorDigits(value) !== undefined) return value;
  throw new InvalidValue("a currency code of ISO 4217, such as USD");
};

export const rates: Parse<Rates> = (value) => {
  const known: Record<string, string> = {};
  for (const entry of value.split(",").map((one) => one.trim())) {
    if (entry === "") continue;
    const [code = "", rate = ""] = entry.split("=").map((part) => part.trim());
    if (minorDigits(code) === undefined || !isRate(rate)) {
      throw new InvalidValue("comma-separated currency codes with rates, such as EUR=1.08");
    }
    known[code] = rate;
  }
  return known;
};

export const postgresUrl: Parse<string> = (value) => {
  if (parseAddress(value)) return value;
  throw new InvalidValue(
    "a URL that starts with postgres:// or postgresql://, such as postgres://user:password@host:5432/fuxi",
  );
};

export const postgresUrls: Parse<string[]> = (value) => {
  const urls = addressesOf(value);
  for (const url of urls) postgresUrl(url);
  return urls;
};
