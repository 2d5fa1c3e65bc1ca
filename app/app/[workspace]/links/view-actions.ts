"use server";

import { createSavedView, deleteSavedView } from "#lib/links/saved-views";
import { newSavedView, type SavedView } from "#lib/links/saved-views/schema";
import type { FormAnswer } from "../../../../components/forms/form.tsx";
import { refreshPages, runInWorkspace } from "../../access.ts";
import { parseQuery, searchOf } from "./query.ts";

export async function createViewAction(
  slug: string,
  view: { name: string; search: string; shared: boolean },
): Promise<FormAnswer<SavedView>> {
  const parsed = newSavedView.safeParse(view);
  if (!parsed.success) return { ok: false, form: "unknown" };
  // Only what a list understands, without the position.
  const search = searchOf(parseQuery(Object.fromEntries(new URLSearchParams(parsed.data.search))));
  return await runInWorkspace(slug, async (scope) => {
    const done = await createSavedView(scope, { ...parsed.data, search });
    refreshPages(slug);
    return { ok: true, done };
  });
}

export async function deleteViewAction(slug: string, id: string): Promise<FormAnswer<null>> {
  return await runInWorkspace(slug, async (scope) => {
    await deleteSavedView(scope, String(id));
    refreshPages(slug);
    return { ok: true, done: null };
  });
}
