/** Rows sent by the thousand: cut into slices, and parsed one by one. */
import { setImmediate } from "node:timers/promises";
import type { core } from "zod";
import type { LinkFailureCode } from "#lib/links/fields";
import { type NewLink, parseNewLink, passwordMask } from "#lib/links/fields/schema";
import { issueMessage } from "#lib/platform/errors";

/** Few, so that other work waits only shortly. */
const sliceRows = 50;

export interface RowFailure {
  ok: false;
  code: LinkFailureCode | "row_invalid" | "unavailable" | "failed";
  message: string;
  /** The values of the message, where the row alone does not contain them. */
  details?: Readonly<Record<string, string | number>>;
}

/** Cuts a list into slices. */
export function* slicesOf<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}

/**
 * Maps rows a slice at a time. Between two slices, responses of the database are handled: earlier rows are being
 * written, and each of their statements would otherwise wait until all of these are ready.
 */
export async function mapInSlices<T, R>(rows: readonly T[], map: (row: T) => R): Promise<R[]> {
  const mapped: R[] = [];
  for (const slice of slicesOf(rows, sliceRows)) {
    mapped.push(...slice.map(map));
    await setImmediate();
  }
  return mapped;
}

/** A row as a body, or its failure. */
export function parseRow(row: unknown): NewLink | RowFailure {
  const parsed = parseNewLink(row);
  if (parsed.success) return parsed.data.password === passwordMask ? maskedPassword : parsed.data;
  const [issue] = parsed.error.issues;
  return {
    ok: false,
    code: "row_invalid",
    message: issueMessage(issue),
    details: { field: String(issue?.path[0] ?? ""), ...kindOf(issue) },
  };
}

/** Results and lists have a mask instead of a password. Without it, the link would be open to everyone. */
const maskedPassword: RowFailure = {
  ok: false,
  code: "row_invalid",
  message: `password: Replace ${passwordMask} with the password, or remove it.`,
  details: { field: "password", issue: "masked" },
};

/** The kinds of problems that are translated separately. */
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
