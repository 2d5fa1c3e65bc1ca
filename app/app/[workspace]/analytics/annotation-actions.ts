"use server";

import type { FormAnswer } from "#components/forms/form";
import { createAnnotation, deleteAnnotation, editAnnotation } from "#lib/analytics/annotations";
import { annotationBody } from "#lib/analytics/annotations/schema";
import { action, nameArgument } from "../../../action.ts";
import { refreshPages, runInWorkspace } from "../../access.ts";

export const createAnnotationAction = action(
  [nameArgument, annotationBody],
  async (slug, body): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      await createAnnotation(scope, body);
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);

export const editAnnotationAction = action(
  [nameArgument, nameArgument, annotationBody],
  async (slug, id, body): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      await editAnnotation(scope, id, body);
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);

export const deleteAnnotationAction = action(
  [nameArgument, nameArgument],
  async (slug, id): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      await deleteAnnotation(scope, id);
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);
