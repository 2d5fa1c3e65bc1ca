"use server";

import { z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import { changeDestinationList, pollDestinationList } from "#lib/destinations/lists";
import { changeListBody, listKinds } from "#lib/destinations/lists/schema";
import { startDisablingRefused } from "#lib/links/list-jobs";
import { listRefusedLinks } from "#lib/links/refused-links";
import type { RefusedLinks } from "#lib/links/refused-links/schema";
import { formOf, nameArgument } from "../../../../action.ts";
import { answerAction, changeAction } from "../../../workspace-action.ts";

const kind = z.enum(listKinds);

const entriesForm = z.object({
  entries: z
    .string()
    .transform((text) => text.split("\n").filter((line) => line.trim() !== ""))
    .pipe(changeListBody.shape.add.unwrap().min(1)),
});

export const addEntriesAction = changeAction(
  [kind, formOf(entriesForm, { entries: "entryEmpty" })],
  (scope, list, fields) => changeDestinationList(scope, list, { add: fields.entries, remove: [] }),
);

export const removeEntryAction = changeAction([kind, z.string().max(1_000)], (scope, list, entry) =>
  changeDestinationList(scope, list, { add: [], remove: [entry] }),
);

const sourceForm = changeListBody.pick({ source: true });

/** An empty field removes the source. */
export const saveSourceAction = changeAction(
  [kind, formOf(sourceForm, { source: "sourceInsecure" })],
  async (scope, list, fields) => {
    const source = fields.source ?? null;
    await changeDestinationList(scope, list, { add: [], remove: [], source });
  },
);

export const pollSourceAction = changeAction([kind], pollDestinationList);

/** Without `startingAfter`, starts at the newest link. */
export const listRefusedAction = answerAction(
  [nameArgument],
  async (scope, startingAfter): Promise<FormAnswer<RefusedLinks>> => {
    return {
      ok: true,
      done: await listRefusedLinks(scope, { startingAfter: startingAfter || undefined }),
    };
  },
);

export const disableRefusedAction = changeAction([], startDisablingRefused);
