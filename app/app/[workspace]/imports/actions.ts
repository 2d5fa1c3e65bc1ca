"use server";

import type { FormAnswer } from "#components/forms/form";
import type { ListJob } from "#lib/links/list-jobs/schema";
import { undoImport } from "#lib/transfer/imports";
import { nameArgument } from "../../../action.ts";
import { formAction } from "../../workspace-action.ts";

export const undoImportAction = formAction(
  [nameArgument],
  async (scope, id): Promise<FormAnswer<ListJob>> => {
    const done = await undoImport(scope, id);
    return { ok: true, done };
  },
);
