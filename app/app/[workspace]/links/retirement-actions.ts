"use server";

import { z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import { editLink } from "#lib/links/editing";
import { keepRetiring, type RetirementDefault, readRetirementDefault } from "#lib/links/lifetime";
import { action, nameArgument } from "../../../action.ts";
import { refreshPages, runInWorkspace } from "../../access.ts";
import { answerAction, formAction } from "../../workspace-action.ts";

export const keepRetiringAction = formAction(
  [],
  async (scope): Promise<FormAnswer<{ kept: number; more: boolean }>> => {
    const done = await keepRetiring(scope);
    return { ok: true, done };
  },
);

/** When a link retires if it has no date of its own. An empty id stands for a new link. */
export const readRetirementDefaultAction = answerAction(
  [nameArgument],
  async (scope, id): Promise<FormAnswer<RetirementDefault>> => {
    const done = await readRetirementDefault(scope, id === "" ? null : id);
    return done ? { ok: true, done } : { ok: false, form: "notFound" };
  },
);

/** Keeps one link from retiring, or returns it to the rules of the workspace. Brings back a retired link. */
export const chooseRetirementAction = action(
  [nameArgument, nameArgument, z.enum(["keep", "default"])],
  async (slug, id, choice): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      const outcome = await editLink(scope, id, { retiresAt: choice === "keep" ? null : choice });
      if (!outcome.ok) return { ok: false, form: "unknown" };
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);
