/** The filters of the list of contacts, as the URL has them. */
import { z } from "zod";
import type { ContactFilter } from "#lib/audience/contacts/schema";
import { midnightOf } from "../settings/audit/query.ts";

const day = z.iso.date().catch("");
const id = z.string().max(64).catch("");

const shape = z.object({
  form: id,
  link: id,
  marketing: z.enum(["true", "false"]).or(z.literal("")).catch(""),
  from: day,
  to: day,
  after: id,
});
export type ContactPageFilters = z.output<typeof shape>;

export function parseFilters(asked: Record<string, unknown>): ContactPageFilters {
  return shape.parse(asked);
}

/** The query of the API, without the place in the list. */
export function filterOf(
  { form, link, marketing, from, to }: ContactPageFilters,
  zone: string,
): ContactFilter {
  return {
    ...(form ? { formId: form } : {}),
    ...(link ? { linkId: link } : {}),
    ...(marketing ? { marketing: marketing === "true" } : {}),
    ...(from ? { start: midnightOf(from, zone, 0) } : {}),
    ...(to ? { end: midnightOf(to, zone, 1) } : {}),
  };
}

/** The parameters of the URL, without the place in the list. */
export function paramsOf({ after: _, ...filters }: ContactPageFilters): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ""));
}
