"use server";

import type { FormAnswer } from "#components/forms/form";
import { createSavedView, deleteSavedView } from "#lib/links/saved-views";
import { newSavedView, type SavedView } from "#lib/links/saved-views/schema";
import { nameArgument } from "../../../action.ts";
import { changeAction, formAction } from "../../workspace-action.ts";
import { parseQuery, searchOf } from "./query.ts";

export const createViewAction = formAction(
  [newSavedView],
  async (scope, view): Promise<FormAnswer<SavedView>> => {
    // Only what a list understands, without the position.
    const search = searchOf(parseQuery(Object.fromEntries(new URLSearchParams(view.search))));
    const done = await createSavedView(scope, { ...view, search });
    return { ok: true, done };
  },
);

export const deleteViewAction = changeAction([nameArgument], deleteSavedView);
