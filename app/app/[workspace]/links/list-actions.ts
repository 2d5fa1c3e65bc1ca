"use server";

import { z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import { groupOfLinks, listChange, replaceHost } from "#lib/links/editing/schema";
import {
  dismissListJob,
  previewReplaceHost,
  previewReplaceHostOf,
  startListJob,
  undoListJob,
} from "#lib/links/list-jobs";
import type { ListJob } from "#lib/links/list-jobs/schema";
import { createSavedView, deleteSavedView } from "#lib/links/saved-views";
import { newSavedView, type SavedView } from "#lib/links/saved-views/schema";
import { nameArgument } from "../../../action.ts";
import { changeAction, formAction, readAction } from "../../workspace-action.ts";
import { filtersOfList, parseQuery, searchOf } from "./query.ts";

/** Longer than all filters together. */
const searchArgument = z.string().max(8_000);

export const startListJobAction = formAction(
  [searchArgument, listChange],
  async (scope, search, change): Promise<FormAnswer<ListJob>> => {
    const query = parseQuery(Object.fromEntries(new URLSearchParams(search)));
    const done = await startListJob(scope, filtersOfList(query), change);
    return { ok: true, done };
  },
);

/** Previews the links with these ids, or all that a search finds. */
export const previewReplaceHostAction = readAction(
  [z.union([groupOfLinks, searchArgument]), replaceHost],
  async (scope, links, step) => {
    if (typeof links !== "string") return await previewReplaceHostOf(scope, links, step);
    const query = parseQuery(Object.fromEntries(new URLSearchParams(links)));
    return await previewReplaceHost(scope, filtersOfList(query), step);
  },
);

export const undoListJobAction = formAction(
  [nameArgument],
  async (scope, id): Promise<FormAnswer<ListJob>> => {
    const done = await undoListJob(scope, id);
    return { ok: true, done };
  },
);

export const dismissListJobAction = changeAction([nameArgument], dismissListJob);

export const createViewAction = formAction(
  [newSavedView],
  async (scope, view): Promise<FormAnswer<SavedView>> => {
    // Keeps only the parameters that a list understands, without its position.
    const search = searchOf(parseQuery(Object.fromEntries(new URLSearchParams(view.search))));
    const done = await createSavedView(scope, { ...view, search });
    return { ok: true, done };
  },
);

export const deleteViewAction = changeAction([nameArgument], deleteSavedView);
