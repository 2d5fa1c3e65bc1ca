"use server";

import type { FormAnswer } from "#components/forms/form";
import type { ListJob } from "#lib/links/list-jobs/schema";
import { undoImport } from "#lib/transfer/imports";
import { action, nameArgument } from "../../../action.ts";
import { refreshPages, runInWorkspace } from "../../access.ts";

export const undoImportAction = action(
  [nameArgument, nameArgument],
  async (slug, id): Promise<FormAnswer<ListJob>> => {
    return await runInWorkspace(slug, async (scope) => {
      const done = await undoImport(scope, id);
      refreshPages(slug);
      return { ok: true, done };
    });
  },
);
