"use server";

import { z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import { listChange } from "#lib/links/editing/schema";
import { dismissListJob, startListJob, undoListJob } from "#lib/links/list-jobs";
import type { ListJob } from "#lib/links/list-jobs/schema";
import { action, nameArgument } from "../../../action.ts";
import { refreshPages, runInWorkspace } from "../../access.ts";
import { filtersOfList, parseQuery } from "./query.ts";

/** Longer than every filter at once. */
const searchArgument = z.string().max(8_000);

export const startListJobAction = action(
  [nameArgument, searchArgument, listChange],
  async (slug, search, change): Promise<FormAnswer<ListJob>> => {
    const query = parseQuery(Object.fromEntries(new URLSearchParams(search)));
    return await runInWorkspace(slug, async (scope) => {
      const done = await startListJob(scope, filtersOfList(query), change);
      refreshPages(slug);
      return { ok: true, done };
    });
  },
);

export const undoListJobAction = action(
  [nameArgument, nameArgument],
  async (slug, id): Promise<FormAnswer<ListJob>> => {
    return await runInWorkspace(slug, async (scope) => {
      const done = await undoListJob(scope, id);
      refreshPages(slug);
      return { ok: true, done };
    });
  },
);

export const dismissListJobAction = action(
  [nameArgument, nameArgument],
  async (slug, id): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      await dismissListJob(scope, id);
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);
