"use server";

import { listHistory, restoreState } from "#lib/links/editing";
import type { History } from "#lib/links/editing/schema";
import { AppError } from "#lib/platform/errors";
import type { ErrorWord } from "#lib/platform/messages/schema";
import type { FormAnswer } from "../../../../components/forms/form.tsx";
import type { Restored } from "../../../../components/links/link-history.tsx";
import { answerIn, renewPages } from "../../seat.ts";

export async function listHistoryAction(
  slug: string,
  id: string,
  after: string,
): Promise<FormAnswer<History>> {
  return await answerIn(slug, async (scope) => {
    return { ok: true, done: await listHistory(scope, String(id), String(after)) };
  });
}

const words: Readonly<Record<string, ErrorWord>> = {
  changed_meanwhile: "changedMeanwhile",
  key_taken: "keyTaken",
  key_invalid: "keyInvalid",
  domain_unknown: "domainUnknown",
  url_loops: "urlLoops",
  folder_forbidden: "notAllowed",
};

export async function restoreStateAction(
  slug: string,
  id: string,
  entry: string | null,
  seen: number,
): Promise<FormAnswer<Restored>> {
  return await answerIn(slug, async (scope) => {
    const place = entry === null ? null : String(entry);
    const outcome = await restoreState(scope, String(id), place, Number(seen)).catch(asRefused);
    if (!outcome) return { ok: false, form: "valueRefused" };
    if (!outcome.ok) return { ok: false, form: words[outcome.code] ?? "valueRefused" };
    renewPages(slug);
    return { ok: true, done: { revision: outcome.revision, leftOut: outcome.leftOut } };
  });
}

/** An old value that is no longer valid, or too many changes since then. */
function asRefused(error: unknown): undefined {
  if (error instanceof AppError && error.code === "unprocessable_entity") return undefined;
  throw error;
}
