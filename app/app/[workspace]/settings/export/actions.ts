"use server";

import { startTakeout } from "#lib/transfer/workspace-export";
import type { FormAnswer } from "../../../../../components/forms/form.tsx";
import { answerIn, renewPages } from "../../../seat.ts";

/** Whether an export was started now: another may already be running, with the same result. */
export async function startTakeoutAction(slug: string): Promise<FormAnswer<boolean>> {
  return await answerIn(slug, async (scope) => {
    const takeout = await startTakeout(scope);
    renewPages(slug);
    return { ok: true, done: takeout !== undefined };
  });
}
