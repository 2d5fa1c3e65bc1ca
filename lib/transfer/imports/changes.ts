/** Changes of the fields of columns and of the options, before an import is started. */
import { AppError } from "#lib/platform/errors";
import { importError } from "./problems.ts";
import type { ChangeImport, ImportOptions } from "./schema.ts";
import type { ImportRow } from "./store.ts";

/** Omitted fields stay unchanged. */
export function withChanges(
  before: ImportOptions,
  changes: ChangeImport["options"] = {},
): ImportOptions {
  return {
    heading: changes.heading ?? before.heading,
    domain: changes.domain === undefined ? before.domain : changes.domain || null,
    otherDomain:
      changes.otherDomain === undefined
        ? (before.otherDomain ?? null)
        : changes.otherDomain || null,
    domains: changes.domains ?? before.domains ?? {},
    folderId: changes.folderId === undefined ? before.folderId : changes.folderId || null,
    tagIds: changes.tagIds ?? before.tagIds,
    onTakenKey: changes.onTakenKey ?? before.onTakenKey,
    onMissingName: changes.onMissingName ?? before.onMissingName,
  };
}

export function assertMapping(mapping: ImportRow["mapping"], width: number): void {
  if (mapping.length !== width) {
    const message = `mapping: The file has ${width} columns, so send ${width} fields. Use null for columns to skip.`;
    throw new AppError("unprocessable_entity", message);
  }
  const seen = new Set<string>();
  for (const field of mapping) {
    if (field === null) continue;
    if (seen.has(field)) {
      throw importError("field_twice", { field });
    }
    seen.add(field);
  }
}
