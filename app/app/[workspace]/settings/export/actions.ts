"use server";

import type { FormAnswer } from "#components/forms/form";
import { startWorkspaceExport } from "#lib/transfer/workspace-export";
import { formAction } from "../../../workspace-action.ts";

/** Whether an export was started now: another may already be running, with the same result. */
export const startExportAction = formAction([], async (scope): Promise<FormAnswer<boolean>> => {
  const workspaceExport = await startWorkspaceExport(scope);
  return { ok: true, done: workspaceExport !== undefined };
});
