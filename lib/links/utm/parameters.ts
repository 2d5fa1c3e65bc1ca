/** UTM parameters of a URL. It is edited as text, so that the rest stays as it was written. */
export const utmNames = [
  "utm_source",
  "utm_medium",
  "utm_campaign",
  "utm_term",
  "utm_content",
] as const;

export type Utm = Record<(typeof utmNames)[number], string | null>;

/** Null removes a parameter, undefined leaves it unchanged. */
export type UtmParameters = Partial<Record<keyof Utm | "ref", string | null | undefined>>;

export const parameterNames = [...utmNames, "ref"] as const;

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

export function parametersOf(url: string): Utm & { ref: string | null } {
  const [address = ""] = url.split("#", 1);
  const query = new URLSearchParams(address.slice(address.indexOf("?") + 1));
  return { ...utmOf(url), ref: query.get("ref") };
}

/** Writes parameters into a URL. If one is null, `keep` leaves it and `drop` removes it. */
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

/** tel:, mailto: and app URLs have no UTM parameters. */
const otherScheme = /^(?!https?:)[a-z][a-z\d+-]*:/i;

/** A variant takes over the UTM parameters of the destination, except those that it sets itself. */
function followDestination(variantUrl: string, before: string, after: string): string {
  if (variantUrl.trim() === "" || otherScheme.test(variantUrl)) return variantUrl;
  const [own, old, next] = [utmOf(variantUrl), utmOf(before), utmOf(after)];
  const followed = utmNames.filter((name) => !own[name] || own[name] === old[name]);
  const parameters = Object.fromEntries(
    followed.flatMap((name) => (own[name] === next[name] ? [] : [[name, next[name]]])),
  );
  return withParameters(variantUrl, parameters, "drop");
}

/** The first variant follows completely, unless a program gave it another URL. */
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

/** Keeps UTM parameters that neither the edit nor its new URL names. */
export function withEditedParameters(
  before: string,
  url: string | undefined,
  given: UtmParameters,
): string {
  const after = url ?? before;
  if (after === "") return after;
  const [old, own] = [utmOf(before), utmOf(after)];
  const parameters: UtmParameters = { ...given };
  for (const name of utmNames) {
    const value = given[name];
    if (value !== undefined && (value || null) !== old[name]) continue;
    parameters[name] = own[name] === null ? (old[name] ?? undefined) : undefined;
  }
  return withParameters(after, parameters, "drop");
}

/** A changed parameter stays in its place, a new one is added at the end. */
function withParameter(url: string, name: string, value: string): string {
  const hashAt = url.indexOf("#");
  const address = hashAt < 0 ? url : url.slice(0, hashAt);
  const [path = "", query = ""] = splitAt(address, address.indexOf("?"));
  const had = new URLSearchParams(query).get(name);
  if (value === "" ? had === null : had === value) return url;
  const parts = withPart(query.split("&"), name, value);
  const end = url.slice(address.length);
  return parts.length === 0 ? path + end : `${withPath(path)}?${parts.join("&")}${end}`;
}

function splitAt(text: string, at: number): [string, string] {
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

function withPart(parts: readonly string[], name: string, value: string): string[] {
  const own = value === "" ? [] : [`${name}=${encodeURIComponent(value.toWellFormed())}`];
  const place = parts.findIndex((part) => nameOf(part) === name);
  const others = (some: readonly string[]) =>
    some.filter((part) => part !== "" && nameOf(part) !== name);
  if (place < 0) return [...others(parts), ...own];
  return [...others(parts.slice(0, place)), ...own, ...others(parts.slice(place))];
}

/** A query needs a path before it. Browsers would add the slash themselves. */
function withPath(address: string): string {
  return /^https?:\/\/[^/]+$/i.test(address) ? `${address}/` : address;
}

function nameOf(part: string): string | undefined {
  return new URLSearchParams(part).keys().next().value;
}
