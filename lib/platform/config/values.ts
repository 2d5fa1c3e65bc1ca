/** Values of settings: what a parser is, and prices. */
export type Parse<T> = (text: string) => T;

/** Thrown by a parser: the end of the sentence "PORT must be …". */
export class InvalidValue extends Error {}

/** Their limits are in lib/tenancy/workspaces/plans.ts. */
export const planNames = ["free", "trial", "personal", "enterprise"] as const;
export type Prices = Partial<Record<(typeof planNames)[number], string>>;

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
