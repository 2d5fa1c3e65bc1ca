import type { core } from "zod";
import type { LinkFailureCode } from "#lib/links/fields";
import { type NewLink, parseNewLink, passwordMask } from "#lib/links/fields/schema";
import { issueMessage } from "#lib/platform/errors";

export interface RowFailure {
  ok: false;
  code: LinkFailureCode | "row_invalid" | "domain_skipped" | "unavailable" | "failed";
  message: string;
  /** Values of the message that the row itself does not contain. */
  details?: Readonly<Record<string, string | number>>;
}

export function parseRow(row: unknown): NewLink | RowFailure {
  const parsed = parseNewLink(row);
  // defence: masked-password-refused
  if (parsed.success) return parsed.data.password === passwordMask ? maskedPassword : parsed.data;
  const [issue] = parsed.error.issues;
  return {
    ok: false,
    code: "row_invalid",
    message: issueMessage(issue),
    details: { field: String(issue?.path[0] ?? ""), ...kindOf(issue) },
  };
}

/** Responses show the mask instead of a password. A link created with it would be open to everyone. */
const maskedPassword: RowFailure = {
  ok: false,
  code: "row_invalid",
  message: `password: Replace ${passwordMask} with the password, or remove it.`,
  details: { field: "password", issue: "masked" },
};

/** Problems that are translated separately. */
function kindOf(issue: core.$ZodIssue | undefined): { issue: string; max?: number } {
  if (issue?.code === "too_big" && issue.origin === "string") {
    return { issue: "long", max: Number(issue.maximum) };
  }
  const isMissing = issue?.code === "invalid_type" && issue.message.endsWith("received undefined");
  return { issue: isMissing ? "missing" : "wrong" };
}

export function isFailure(value: object): value is RowFailure {
  return "ok" in value && value.ok === false;
}
