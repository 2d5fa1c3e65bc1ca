/**
 * UTM parameters: read from a URL, and written into it. A URL is edited as text, so that everything else in it stays as
 * it was written.
 */
export const utmNames = [
  "utm_source",
  "utm_medium",
  "utm_campaign",
  "utm_term",
  "utm_content",
] as const;

export type Utm = Record<(typeof utmNames)[number], string | null>;

/** Parameters to write: null removes one, undefined leaves it unchanged. */
export type UtmParameters = Partial<Record<keyof Utm | "ref", string | null | undefined>>;

const parameterNames = [...utmNames, "ref"] as const;

const noUtm: Utm = {
  utm_source: null,
  utm_medium: null,
  utm_campaign: null,
  utm_term: null,
  utm_content: null,
};

export function utmOf(url: string): Utm {
  if (!url.includes("utm_")) return noUtm;
  const [address = ""] = url.split("#", 1);
  const query = new URLSearchParams(address.slice(address.indexOf("?") + 1));
  const found = { ...noUtm };
  for (const name of utmNames) found[name] = query.get(name);
  return found;
}

/** Writes parameters into a URL. For null: `keep` leaves the parameter, `drop` removes it. */
export function withParameters(
  url: string,
  parameters: UtmParameters,
  onNull: "keep" | "drop",
): string {
  let text = url;
  for (const name of parameterNames) {
    const value = parameters[name];
    if (value === undefined || (value === null && onNull === "keep")) continue;
    text = withParameter(text, name, value ?? "");
  }
  return text;
}

/** tel:, mailto: and those of apps have no UTM parameters. */
const otherScheme = /^(?!https?:)[a-z][a-z\d+-]*:/i;

/**
 * The URL of a variant of an A/B test after the destination of its link changed. It takes over the UTM parameters of the
 * destination, except those that it has with values of its own.
 */
function followDestination(variantUrl: string, before: string, after: string): string {
  if (variantUrl.trim() === "" || otherScheme.test(variantUrl)) return variantUrl;
  const [own, old, next] = [utmOf(variantUrl), utmOf(before), utmOf(after)];
  const followed = utmNames.filter((name) => !own[name] || own[name] === old[name]);
  const parameters = Object.fromEntries(
    followed.flatMap((name) => (own[name] === next[name] ? [] : [[name, next[name]]])),
  );
  return withParameters(variantUrl, parameters, "drop");
}

/**
 * The variants of an A/B test after the destination of its link changed. The first variant is the destination: it
 * follows completely, unless a program gave it another URL.
 */
export function variantsAfter<Variant extends { url: string }>(
  variants: readonly Variant[],
  before: string,
  after: string,
): Variant[] {
  return variants.map((variant, at) => ({
    ...variant,
    url: at === 0 && variant.url === before ? after : followDestination(variant.url, before, after),
  }));
}

function withParameter(url: string, name: string, value: string): string {
  const hashAt = url.indexOf("#");
  const hash = hashAt < 0 ? "" : url.slice(hashAt);
  const address = hashAt < 0 ? url : url.slice(0, hashAt);
  const queryAt = address.indexOf("?");
  const path = queryAt < 0 ? address : address.slice(0, queryAt);
  const parts = queryAt < 0 ? [] : address.slice(queryAt + 1).split("&");
  const kept = parts.filter((part) => part !== "" && nameOf(part) !== name);
  if (value !== "") kept.push(`${name}=${encodeURIComponent(value.toWellFormed())}`);
  return kept.length === 0 ? path + hash : `${path}?${kept.join("&")}${hash}`;
}

function nameOf(part: string): string {
  const end = part.indexOf("=");
  return end < 0 ? part : part.slice(0, end);
}
