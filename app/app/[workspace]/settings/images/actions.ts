"use server";

import type { FormAnswer } from "#components/forms/form";
import { deleteSocialImage } from "#lib/links/social-images";
import { action, nameArgument } from "../../../../action.ts";
import { refreshPages, runInWorkspace } from "../../../access.ts";

export const deleteImageAction = action(
  [nameArgument, nameArgument],
  async (slug, id): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      await deleteSocialImage(scope, id);
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);
