import { slugCharsMax, slugCharsMin } from "#lib/workspaces/schema";

/**
 * The address that a name suggests: "Café Müller" → "cafe-muller". A name without Latin letters suggests nothing, and
 * one that is too short is left to the person.
 */
export function slugOf(name: string): string {
  const slug = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, slugCharsMax)
    .replace(/^-+|-+$/g, "");
  return slug.length < slugCharsMin ? "" : slug;
}
