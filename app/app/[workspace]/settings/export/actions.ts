"use server";

import type { FormAnswer } from "#components/forms/form";
import { startWorkspaceExport } from "#lib/transfer/workspace-export";
import { action, nameArgument } from "../../../../action.ts";
import { refreshPages, runInWorkspace } from "../../../access.ts";

/** Whether an export was started now: another may already be running, with the same result. */
export const startExportAction = action(
  [nameArgument],
  async (slug): Promise<FormAnswer<boolean>> => {
    return await runInWorkspace(slug, async (scope) => {
      const workspaceExport = await startWorkspaceExport(scope);
      refreshPages(slug);
      return { ok: true, done: workspaceExport !== undefined };
    });
  },
);
