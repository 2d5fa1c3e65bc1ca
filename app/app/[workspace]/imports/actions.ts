"use server";

import type { ListJob } from "#lib/links/list-jobs/schema";
import { undoImport } from "#lib/transfer/imports";
import type { FormAnswer } from "../../../../components/forms/form.tsx";
import { refreshPages, runInWorkspace } from "../../access.ts";

export async function undoImportAction(slug: string, id: string): Promise<FormAnswer<ListJob>> {
  return await runInWorkspace(slug, async (scope) => {
    const done = await undoImport(scope, String(id));
    refreshPages(slug);
    return { ok: true, done };
  });
}
