"use server";

import { z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import type { RestoredLinkState } from "#components/links/link-history";
import { listHistory, restoreState } from "#lib/links/editing";
import { AppError } from "#lib/platform/errors";
import { findErrorKey } from "#lib/platform/messages";
import { action, nameArgument } from "../../../action.ts";
import { refusalOf } from "../../../refusals.ts";
import { refreshPages, runInWorkspace } from "../../access.ts";
import { readAction } from "../../workspace-action.ts";

export const listHistoryAction = readAction([nameArgument, nameArgument], listHistory);

export const restoreStateAction = action(
  [nameArgument, nameArgument, nameArgument.nullable(), z.int()],
  async (slug, id, entry, seenRevision): Promise<FormAnswer<RestoredLinkState>> => {
    return await runInWorkspace(slug, async (scope) => {
      const outcome = await restoreState(scope, id, entry, seenRevision).catch(asInvalid);
      if (!outcome) return { ok: false, form: "valueRefused" };
      if (!outcome.ok && outcome.code === "destination_refused") {
        const { key, values } = refusalOf(outcome.details);
        return { ok: false, form: key, values };
      }
      if (!outcome.ok) return { ok: false, form: findErrorKey(outcome.code) ?? "valueRefused" };
      refreshPages(slug);
      return { ok: true, done: { revision: outcome.revision, leftOut: outcome.leftOut } };
    });
  },
);

/** An old value that is no longer valid, or too many changes since then. */
function asInvalid(error: unknown): undefined {
  if (error instanceof AppError && error.code === "unprocessable_entity") return undefined;
  throw error;
}
