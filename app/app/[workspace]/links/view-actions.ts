"use server";

import type { FormAnswer } from "#components/forms/form";
import { createSavedView, deleteSavedView } from "#lib/links/saved-views";
import { newSavedView, type SavedView } from "#lib/links/saved-views/schema";
import { action, nameArgument } from "../../../action.ts";
import { refreshPages, runInWorkspace } from "../../access.ts";
import { parseQuery, searchOf } from "./query.ts";

export const createViewAction = action(
  [nameArgument, newSavedView],
  async (slug, view): Promise<FormAnswer<SavedView>> => {
    // Only what a list understands, without the position.
    const search = searchOf(parseQuery(Object.fromEntries(new URLSearchParams(view.search))));
    return await runInWorkspace(slug, async (scope) => {
      const done = await createSavedView(scope, { ...view, search });
      refreshPages(slug);
      return { ok: true, done };
    });
  },
);

export const deleteViewAction = action(
  [nameArgument, nameArgument],
  async (slug, id): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      await deleteSavedView(scope, id);
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);
