import { z } from "zod";
import { comparedName, plainText } from "#lib/basics/fields/schema";

export {
  parameterNames,
  parametersOf,
  utmNames,
  utmOf,
  variantsAfter,
  withParameters,
} from "./parameters.ts";

export const nameCharsMax = 50;
/** The same limit as the parameter of a link. */
export const valueCharsMax = 255;

const name = comparedName(nameCharsMax);

const value = z
  .string()
  .trim()
  .max(valueCharsMax, `Use at most ${valueCharsMax} characters.`)
  .regex(plainText, "Remove the control characters.")
  .transform((text) => text || null)
  .nullish();

const values = {
  utm_source: value,
  utm_medium: value,
  utm_campaign: value,
  utm_term: value,
  utm_content: value,
  ref: value.describe("Added to the destination URL as the query parameter `ref`."),
};

export const newUtmTemplate = z.strictObject({
  name: name.describe("Unique in the workspace."),
  ...values,
});
export type NewUtmTemplate = z.output<typeof newUtmTemplate>;

/** Omitted fields stay unchanged. Null clears them. */
export const editUtmTemplate = z.strictObject({ name: name.optional(), ...values });
export type EditUtmTemplate = z.output<typeof editUtmTemplate>;

const text = z.string().nullable();

export const utmTemplateShape = z.object({
  id: z.string(),
  name: z.string(),
  utm_source: text,
  utm_medium: text,
  utm_campaign: text,
  utm_term: text,
  utm_content: text,
  ref: text,
  userId: text.describe("Who created it; null if unknown."),
  workspaceId: z.string(),
  projectId: z.string().describe("The same as `workspaceId`."),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type UtmTemplate = z.output<typeof utmTemplateShape>;
