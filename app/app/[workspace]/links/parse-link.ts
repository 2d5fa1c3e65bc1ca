/** Validates the link form with the schema of the API, with messages per field. */
import type { ZodType, z } from "zod";
import { fieldList } from "#lib/links/link-columns/schema";
import type { ErrorMessageKey } from "#lib/platform/messages/schema";
import { type ParsedForm, parseJsonField } from "../../../form-data.ts";

/** The form sends a link as JSON, in the field `link`. */
export function parseLink<Schema extends ZodType>(
  data: FormData,
  schema: Schema,
): ParsedForm<z.output<Schema>> {
  return parseJsonField(data.get("link"), schema, { fieldOf, messageOf });
}

/** Items in the list of a condition have no field of their own, so the condition gets the error. */
function fieldOf(path: string[]): string {
  const parts = path[0] === "rules" && path[2] !== "time" ? path.slice(0, 3) : path;
  return parts.join(".");
}

const kindMessages: Readonly<Partial<Record<string, ErrorMessageKey>>> = {
  url: "urlInvalid",
  appUrl: "appUrlInvalid",
  moment: "momentInvalid",
  text: "tooLong",
};

/** Fields whose type has no message in `kindMessages`, and inputs that are not fields of a link. */
const messages: Readonly<Record<string, ErrorMessageKey>> = {
  url: "urlInvalid",
  geo: "urlInvalid",
  key: "keyInvalid",
  prefix: "keyInvalid",
  keyLength: "keyLengthInvalid",
  domain: "domainUnknown",
  folderId: "folderUnknown",
  tagIds: "tagUnknown",
  webhookIds: "webhooksTooMany",
  maxClicks: "maxClicksInvalid",
};

function messageOfField(name: string): ErrorMessageKey {
  const field = fieldList.find((one) => one.name === name && one.form);
  return messages[name] ?? kindMessages[field?.kind ?? ""] ?? "unknown";
}

const programMessages: Readonly<Record<string, ErrorMessageKey>> = {
  appId: "miniProgramIdInvalid",
  path: "miniProgramPathInvalid",
  query: "miniProgramQueryInvalid",
};

function messageOf([field = "", ...inside]: string[]): ErrorMessageKey {
  const last = inside.at(-1);
  if (field === "rules") return ruleMessageOf(inside);
  if (field === "insideApps") return programMessages[last ?? ""] ?? "unknown";
  if (field === "testVariants" && last === "url") return "urlInvalid";
  if (field === "testVariants") return last === "percentage" ? "percentageInvalid" : "testInvalid";
  return messageOfField(field);
}

function ruleMessageOf([, condition, part]: string[]): ErrorMessageKey {
  if (condition === undefined) return "ruleEmpty";
  if (condition === "url") return "appUrlInvalid";
  if (condition === "region") return "regionInvalid";
  if (condition !== "time") return "conditionInvalid";
  return part === "zone" ? "zoneUnknown" : "timeInvalid";
}
