/** Server actions in a workspace. Callers pass the slug first; the action runs with the person’s scope instead. */

import type { FormAnswer } from "#components/forms/form";
import type { WorkspaceScope } from "#lib/tenancy/access";
import {
  type Arguments,
  action,
  asValues,
  type Given,
  nameArgument,
  type Values,
} from "../action.ts";
import { refreshPages, runInWorkspace } from "./access.ts";

type WorkspaceAction<List extends Arguments, Done> = (
  slug: string,
  ...given: Given<List>
) => Promise<FormAnswer<Done>>;

/** Returns the result of `run`. */
export function answerAction<const List extends Arguments, Done>(
  list: List,
  run: (scope: WorkspaceScope, ...values: Values<List>) => Promise<FormAnswer<Done>>,
): WorkspaceAction<List, Done> {
  return actionOf(list, (scope, _slug, values) => run(scope, ...values));
}

/** Returns a value. */
export function readAction<const List extends Arguments, Done>(
  list: List,
  run: (scope: WorkspaceScope, ...values: Values<List>) => Promise<Done>,
): WorkspaceAction<List, Done> {
  return actionOf(list, async (scope, _slug, values) => ({
    ok: true,
    done: await run(scope, ...values),
  }));
}

/** Changes what pages show, and returns the result of `run`. */
export function formAction<const List extends Arguments, Done>(
  list: List,
  run: (scope: WorkspaceScope, ...values: Values<List>) => Promise<FormAnswer<Done>>,
): WorkspaceAction<List, Done> {
  return actionOf(list, async (scope, slug, values) => {
    const answer = await run(scope, ...values);
    refreshPages(slug);
    return answer;
  });
}

/** Changes what pages show. */
export function changeAction<const List extends Arguments>(
  list: List,
  run: (scope: WorkspaceScope, ...values: Values<List>) => Promise<unknown>,
): WorkspaceAction<List, null> {
  return formAction(list, async (scope, ...values) => {
    await run(scope, ...values);
    return { ok: true, done: null };
  });
}

function actionOf<const List extends Arguments, Done>(
  list: List,
  run: (scope: WorkspaceScope, slug: string, values: Values<List>) => Promise<FormAnswer<Done>>,
): WorkspaceAction<List, Done> {
  const call = action<Arguments, Done>([nameArgument, ...list], (slug, ...values) =>
    runInWorkspace(String(slug), (scope) => run(scope, String(slug), asValues(values))),
  );
  return async (slug, ...given) => await call(slug, ...given);
}
