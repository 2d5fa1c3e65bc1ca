"use server";

import { z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import { changeDestinationList, pollDestinationList } from "#lib/destinations/lists";
import { changeListBody, listKinds } from "#lib/destinations/lists/schema";
import { startDisablingRefused } from "#lib/links/list-jobs";
import { listRefusedLinks } from "#lib/links/refused-links";
import type { RefusedLinks } from "#lib/links/refused-links/schema";
import { action, formArgument, nameArgument } from "../../../../action.ts";
import { parseForm } from "../../../../form-data.ts";
import { refreshPages, runInWorkspace } from "../../../access.ts";

const kind = z.enum(listKinds);

const entriesForm = z.object({
  entries: z
    .string()
    .transform((text) => text.split("\n").filter((line) => line.trim() !== ""))
    .pipe(changeListBody.shape.add.unwrap().min(1)),
});

export const addEntriesAction = action(
  [nameArgument, kind, formArgument()],
  async (slug, list, data): Promise<FormAnswer<null>> => {
    const parsed = parseForm(data, entriesForm, { entries: "entryEmpty" });
    if (!parsed.ok) return parsed;
    return await runInWorkspace(slug, async (scope) => {
      await changeDestinationList(scope, list, { add: parsed.value.entries, remove: [] });
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);

export const removeEntryAction = action(
  [nameArgument, kind, z.string().max(1_000)],
  async (slug, list, entry): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      await changeDestinationList(scope, list, { add: [], remove: [entry] });
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);

const sourceForm = changeListBody.pick({ source: true });

/** An empty field removes the source. */
export const saveSourceAction = action(
  [nameArgument, kind, formArgument()],
  async (slug, list, data): Promise<FormAnswer<null>> => {
    const parsed = parseForm(data, sourceForm, { source: "sourceInsecure" });
    if (!parsed.ok) return parsed;
    return await runInWorkspace(slug, async (scope) => {
      const source = parsed.value.source ?? null;
      await changeDestinationList(scope, list, { add: [], remove: [], source });
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);

export const pollSourceAction = action(
  [nameArgument, kind],
  async (slug, list): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      await pollDestinationList(scope, list);
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);

/** From the newest link, without one that it starts after. */
export const listRefusedAction = action(
  [nameArgument, nameArgument],
  async (slug, startingAfter): Promise<FormAnswer<RefusedLinks>> => {
    return await runInWorkspace(slug, async (scope) => {
      return {
        ok: true,
        done: await listRefusedLinks(scope, { startingAfter: startingAfter || undefined }),
      };
    });
  },
);

export const disableRefusedAction = action(
  [nameArgument],
  async (slug): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      await startDisablingRefused(scope);
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);
