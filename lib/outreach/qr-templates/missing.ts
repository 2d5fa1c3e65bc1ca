/** Errors for missing templates and logos. */

import { parseId } from "#lib/basics/ids";
import { AppError } from "#lib/platform/errors";

/** Throws for an invalid id; it could contain characters that no column accepts. */
export function assertId(prefix: string, id: string, missing: (id: string) => AppError): void {
  if (parseId(prefix, id) === undefined) throw missing(id);
}

export function missingTemplate(id: string): AppError {
  return new AppError("not_found", `Template "${id}" not found in this workspace.`);
}

export function missingLogo(id: string): AppError {
  return new AppError("not_found", `Logo "${id}" not found in this workspace.`);
}
