"use server";

import type { FormAnswer } from "#components/forms/form";
import { startWorkspaceExport } from "#lib/transfer/workspace-export";
import { formAction } from "../../../workspace-action.ts";

/** Whether this call started an export. If one is running already, the result is the same. */
export const startExportAction = formAction([], async (scope): Promise<FormAnswer<boolean>> => {
  const workspaceExport = await startWorkspaceExport(scope);
  return { ok: true, done: workspaceExport !== undefined };
});
