"use server";

import type { FormAnswer } from "#components/forms/form";
import { startWorkspaceExport } from "#lib/transfer/workspace-export";
import { formAction } from "../../../workspace-action.ts";

/** Returns whether this call started an export. False if one is already running. */
export const startExportAction = formAction([], async (scope): Promise<FormAnswer<boolean>> => {
  const workspaceExport = await startWorkspaceExport(scope);
  return { ok: true, done: workspaceExport !== undefined };
});
