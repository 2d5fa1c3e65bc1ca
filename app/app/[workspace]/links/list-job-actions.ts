"use server";

import { type ListChange, listChange } from "#lib/links/editing/schema";
import { dismissListJob, startListJob, undoListJob } from "#lib/links/list-jobs";
import type { ListJob } from "#lib/links/list-jobs/schema";
import type { FormAnswer } from "../../../../components/forms/form.tsx";
import { refreshPages, runInWorkspace } from "../../access.ts";
import { filtersOfList, parseQuery } from "./query.ts";

/** Longer than every filter at once. */
const searchCharsMax = 8_000;

export async function startListJobAction(
  slug: string,
  search: string,
  change: ListChange,
): Promise<FormAnswer<ListJob>> {
  const parsed = listChange.safeParse(change);
  if (!parsed.success || String(search).length > searchCharsMax) {
    return { ok: false, form: "unknown" };
  }
  const query = parseQuery(Object.fromEntries(new URLSearchParams(String(search))));
  return await runInWorkspace(slug, async (scope) => {
    const done = await startListJob(scope, filtersOfList(query), parsed.data);
    refreshPages(slug);
    return { ok: true, done };
  });
}

export async function undoListJobAction(slug: string, id: string): Promise<FormAnswer<ListJob>> {
  return await runInWorkspace(slug, async (scope) => {
    const done = await undoListJob(scope, String(id));
    refreshPages(slug);
    return { ok: true, done };
  });
}

export async function dismissListJobAction(slug: string, id: string): Promise<FormAnswer<null>> {
  return await runInWorkspace(slug, async (scope) => {
    await dismissListJob(scope, String(id));
    refreshPages(slug);
    return { ok: true, done: null };
  });
}
