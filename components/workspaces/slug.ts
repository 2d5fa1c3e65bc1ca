/** The limits of a slug. Passed as a parameter, because the schema is too heavy for a browser. */
export interface SlugLimits {
  min: number;
  max: number;
}

/**
 * The slug suggested for a name: "Café Müller" → "cafe-muller". There is no suggestion if the name has no Latin letters or the
 * slug would be too short.
 */
export function slugOf(name: string, limits: SlugLimits): string {
  const slug = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, limits.max)
    .replace(/^-+|-+$/g, "");
  return slug.length < limits.min ? "" : slug;
}
