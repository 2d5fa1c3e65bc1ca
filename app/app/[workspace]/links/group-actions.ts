"use server";

import { duplicateLink } from "#lib/links/creating";
import { changeGroup, discardLinks, restoreLinks } from "#lib/links/editing";
import { type GroupStep, groupOfLinks, groupSteps } from "#lib/links/editing/schema";
import type { FormAnswer } from "../../../../components/forms/form.tsx";
import type { GroupDone, Refused, RefusedWord } from "../../../../components/links/link-group.ts";
import { answerIn, renewPages } from "../../seat.ts";

const words: Readonly<Record<string, RefusedWord>> = {
  gone: "gone",
  key_taken: "nameTaken",
  external_id_taken: "nameTaken",
  folder_forbidden: "folderForbidden",
  folder_unknown: "folderGone",
  tag_unknown: "tagGone",
  tags_too_many: "tagsFull",
};

type Outcome = { ok: true } | { ok: false; code: string };

function refusedOf(outcomes: readonly Outcome[]): RefusedWord[] {
  return outcomes.flatMap((outcome) => (outcome.ok ? [] : (words[outcome.code] ?? "other")));
}

export async function changeLinksAction(
  slug: string,
  steps: GroupStep[],
): Promise<FormAnswer<GroupDone>> {
  const parsed = groupSteps.safeParse(steps);
  if (!parsed.success) return { ok: false, form: "unknown" };
  return await answerIn(slug, async (scope) => {
    const { outcomes, undo } = await changeGroup(scope, parsed.data);
    renewPages(slug);
    const changed = outcomes.filter((outcome) => outcome.ok && outcome.changed).length;
    return { ok: true, done: { changed, undo, refused: refusedOf(outcomes) } };
  });
}

export async function discardLinksAction(
  slug: string,
  ids: string[],
): Promise<FormAnswer<{ ids: string[] }>> {
  const parsed = groupOfLinks.safeParse(ids);
  if (!parsed.success) return { ok: false, form: "unknown" };
  return await answerIn(slug, async (scope) => {
    const done = { ids: await discardLinks(scope, parsed.data) };
    renewPages(slug);
    return { ok: true, done };
  });
}

/** Called from the page of the link, which no longer exists afterwards. */
export async function discardShownLinkAction(
  slug: string,
  ids: string[],
): Promise<FormAnswer<{ ids: string[] }>> {
  const parsed = groupOfLinks.safeParse(ids);
  if (!parsed.success) return { ok: false, form: "unknown" };
  return await answerIn(slug, async (scope) => {
    return { ok: true, done: { ids: await discardLinks(scope, parsed.data) } };
  });
}

export async function restoreLinksAction(
  slug: string,
  ids: string[],
): Promise<FormAnswer<Refused & { restored: number }>> {
  const parsed = groupOfLinks.safeParse(ids);
  if (!parsed.success) return { ok: false, form: "unknown" };
  return await answerIn(slug, async (scope) => {
    const outcomes = await restoreLinks(scope, parsed.data);
    renewPages(slug);
    const restored = outcomes.filter(({ ok }) => ok).length;
    return { ok: true, done: { restored, refused: refusedOf(outcomes) } };
  });
}

export async function duplicateLinkAction(
  slug: string,
  id: string,
): Promise<FormAnswer<{ id: string; shortLink: string }>> {
  return await answerIn(slug, async (scope) => {
    const outcome = await duplicateLink(scope, String(id));
    if (!outcome.ok) {
      return { ok: false, form: outcome.code === "quota_used_up" ? "quotaUsedUp" : "valueRefused" };
    }
    renewPages(slug);
    const { id: copy, shortLink } = outcome.link;
    return { ok: true, done: { id: copy, shortLink } };
  });
}
