"use server";

import { duplicateLink } from "#lib/links/creating";
import { changeGroup, deleteLinksWithUndo, restoreLinks } from "#lib/links/editing";
import { type GroupStep, groupOfLinks, groupSteps } from "#lib/links/editing/schema";
import type { FormAnswer } from "../../../../components/forms/form.tsx";
import type {
  FailureWord,
  GroupResult,
  PartialFailure,
} from "../../../../components/links/link-group.ts";
import { refreshPages, runInWorkspace } from "../../access.ts";

const messages: Readonly<Record<string, FailureWord>> = {
  gone: "gone",
  key_taken: "nameTaken",
  external_id_taken: "nameTaken",
  folder_forbidden: "folderForbidden",
  folder_unknown: "folderGone",
  tag_unknown: "tagGone",
  tags_too_many: "tagsFull",
};

type Outcome = { ok: true } | { ok: false; code: string };

function failuresOf(outcomes: readonly Outcome[]): FailureWord[] {
  return outcomes.flatMap((outcome) => (outcome.ok ? [] : (messages[outcome.code] ?? "other")));
}

export async function changeLinksAction(
  slug: string,
  steps: GroupStep[],
): Promise<FormAnswer<GroupResult>> {
  const parsed = groupSteps.safeParse(steps);
  if (!parsed.success) return { ok: false, form: "unknown" };
  return await runInWorkspace(slug, async (scope) => {
    const { outcomes, undo } = await changeGroup(scope, parsed.data);
    refreshPages(slug);
    const changed = outcomes.filter((outcome) => outcome.ok && outcome.changed).length;
    return { ok: true, done: { changed, undo, refused: failuresOf(outcomes) } };
  });
}

export async function deleteLinksAction(
  slug: string,
  ids: string[],
): Promise<FormAnswer<{ ids: string[] }>> {
  const parsed = groupOfLinks.safeParse(ids);
  if (!parsed.success) return { ok: false, form: "unknown" };
  return await runInWorkspace(slug, async (scope) => {
    const done = { ids: await deleteLinksWithUndo(scope, parsed.data) };
    refreshPages(slug);
    return { ok: true, done };
  });
}

/** Called from the page of the link, which no longer exists afterwards. */
export async function deleteOpenLinkAction(
  slug: string,
  ids: string[],
): Promise<FormAnswer<{ ids: string[] }>> {
  const parsed = groupOfLinks.safeParse(ids);
  if (!parsed.success) return { ok: false, form: "unknown" };
  return await runInWorkspace(slug, async (scope) => {
    return { ok: true, done: { ids: await deleteLinksWithUndo(scope, parsed.data) } };
  });
}

export async function restoreLinksAction(
  slug: string,
  ids: string[],
): Promise<FormAnswer<PartialFailure & { restored: number }>> {
  const parsed = groupOfLinks.safeParse(ids);
  if (!parsed.success) return { ok: false, form: "unknown" };
  return await runInWorkspace(slug, async (scope) => {
    const outcomes = await restoreLinks(scope, parsed.data);
    refreshPages(slug);
    const restored = outcomes.filter(({ ok }) => ok).length;
    return { ok: true, done: { restored, refused: failuresOf(outcomes) } };
  });
}

export async function duplicateLinkAction(
  slug: string,
  id: string,
): Promise<FormAnswer<{ id: string; shortLink: string }>> {
  return await runInWorkspace(slug, async (scope) => {
    const outcome = await duplicateLink(scope, String(id));
    if (!outcome.ok) {
      return { ok: false, form: outcome.code === "quota_used_up" ? "quotaUsedUp" : "valueRefused" };
    }
    refreshPages(slug);
    const { id: copy, shortLink } = outcome.link;
    return { ok: true, done: { id: copy, shortLink } };
  });
}
