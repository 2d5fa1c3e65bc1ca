"use server";

import type { FormAnswer } from "#components/forms/form";
import type { GroupResult, PartialFailure } from "#components/links/link-group.ts";
import { duplicateLink } from "#lib/links/creating";
import { changeGroup, deleteLinksWithUndo, restoreLinks } from "#lib/links/editing";
import { groupOfLinks, groupSteps } from "#lib/links/editing/schema";
import { findErrorKey } from "#lib/platform/messages";
import { action, nameArgument } from "../../../action.ts";
import { firstLinksUsedUp } from "../../../refusals.ts";
import { refreshPages, runInWorkspace } from "../../access.ts";
import { formAction, readAction } from "../../workspace-action.ts";

type Outcome = { ok: true } | { ok: false; code: string };

function failuresOf(outcomes: readonly Outcome[]): string[] {
  return outcomes.flatMap((outcome) => (outcome.ok ? [] : outcome.code));
}

export const changeLinksAction = formAction(
  [groupSteps],
  async (scope, steps): Promise<FormAnswer<GroupResult>> => {
    const { outcomes, undo } = await changeGroup(scope, steps);
    const changed = outcomes.filter((outcome) => outcome.ok && outcome.changed).length;
    return { ok: true, done: { changed, undo, refused: failuresOf(outcomes) } };
  },
);

export const deleteLinksAction = formAction(
  [groupOfLinks],
  async (scope, ids): Promise<FormAnswer<{ ids: string[] }>> => {
    const done = { ids: await deleteLinksWithUndo(scope, ids) };
    return { ok: true, done };
  },
);

/** Called from the page of the link, which no longer exists afterwards. */
export const deleteOpenLinkAction = readAction([groupOfLinks], async (scope, ids) => ({
  ids: await deleteLinksWithUndo(scope, ids),
}));

export const restoreLinksAction = formAction(
  [groupOfLinks],
  async (scope, ids): Promise<FormAnswer<PartialFailure & { restored: number }>> => {
    const outcomes = await restoreLinks(scope, ids);
    const restored = outcomes.filter(({ ok }) => ok).length;
    return { ok: true, done: { restored, refused: failuresOf(outcomes) } };
  },
);

export const duplicateLinkAction = action(
  [nameArgument, nameArgument],
  async (slug, id): Promise<FormAnswer<{ id: string; shortLink: string }>> => {
    return await runInWorkspace(slug, async (scope) => {
      const outcome = await duplicateLink(scope, id);
      if (!outcome.ok) {
        if (outcome.code === "first_links_used_up") return firstLinksUsedUp(outcome.details);
        return { ok: false, form: findErrorKey(outcome.code) ?? "valueRefused" };
      }
      refreshPages(slug);
      const { id: copy, shortLink } = outcome.link;
      return { ok: true, done: { id: copy, shortLink } };
    });
  },
);
