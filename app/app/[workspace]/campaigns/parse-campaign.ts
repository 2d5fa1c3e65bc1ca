/** Validates the form of a campaign with the schema of the API. */
import type { ZodType, z } from "zod";
import type { FormFailure } from "#components/forms/form";
import { AppError } from "#lib/platform/errors";
import type { ErrorMessageKey } from "#lib/platform/messages/schema";
import { type ParsedForm, parseJsonField } from "../../../form-data.ts";
import { errorAnswer, linkFailureOf } from "../links/link-errors.ts";

export function parseCampaign<Schema extends ZodType>(
  data: FormData,
  schema: Schema,
): ParsedForm<z.output<Schema>> {
  const fieldOf = (path: string[]) => path.join(".");
  return parseJsonField(data.get("campaign"), schema, { fieldOf, messageOf });
}

const messages: Readonly<Record<string, ErrorMessageKey>> = {
  name: "campaignName",
  kind: "unknown",
  columns: "campaignColumns",
  defaultCountry: "campaignCountry",
  template: "campaignTemplate",
  variants: "testInvalid",
  destination: "campaignDestination",
  domain: "domainUnknown",
  folderId: "folderUnknown",
  tagIds: "tagUnknown",
  utm_source: "tooLong",
  utm_medium: "tooLong",
  utm_campaign: "tooLong",
  utm_term: "tooLong",
  utm_content: "tooLong",
  linkDays: "campaignLinkDays",
  senderName: "campaignSender",
  optOutText: "campaignOptOut",
  consentSource: "campaignConsent",
  consentOn: "campaignConsentDate",
  personalDataDays: "campaignDataDays",
};

const variantMessages: Readonly<Record<string, ErrorMessageKey>> = {
  name: "campaignVariantName",
  template: "campaignTemplate",
  percentage: "campaignPercentage",
};

function messageOf([field = "", ...inside]: string[]): ErrorMessageKey {
  const last = inside.at(-1) ?? "";
  if (field === "variants" && inside.length > 1) return variantMessages[last] ?? "unknown";
  if (field === "columns" && inside.length > 1) return "campaignColumn";
  if (field === "prices") return last === "currency" ? "campaignCurrency" : "campaignPrice";
  return messages[field] ?? "unknown";
}

/** Turns expected errors into form errors. Undefined for any other error. */
export function failureOf(error: unknown): FormFailure | undefined {
  if (!(error instanceof AppError)) return undefined;
  const { code, problem, fields: given } = error;
  const link = problem && linkFailureOf(problem);
  if (link) return withDestination(errorAnswer(link));
  if (code === "conflict" && !problem) return { ok: false, form: "campaignFixed" };
  if (!given) return undefined;
  const fields = Object.keys(given).map((path) => [path, messageOf(path.split("."))]);
  return { ok: false, fields: Object.fromEntries(fields) };
}

function withDestination({ fields, ...failure }: FormFailure): FormFailure {
  if (!fields) return failure;
  const renamed = Object.entries(fields).map(([name, key]) => [
    name === "url" ? "destination" : name,
    key,
  ]);
  return { ...failure, fields: Object.fromEntries(renamed) };
}
