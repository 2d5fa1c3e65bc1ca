"use server";

import { z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import type { SavedLink } from "#components/links/editor-drawer";
import type { CreatedLink } from "#components/links/link-creator";
import type { RestoredLinkState } from "#components/links/link-history";
import { withoutScheme } from "#components/links/names.ts";
import type { LinkHit } from "#components/shell/palette";
import { createLinks } from "#lib/links/creating";
import { checkAgain } from "#lib/links/destination-checks";
import {
  editLink,
  listHistory,
  restoreState,
  type StateRestore,
  undoEdit,
} from "#lib/links/editing";
import { createLinkBody, editLinkBody } from "#lib/links/fields/schema";
import { listLinks } from "#lib/links/reading";
import { listLinksQuery } from "#lib/links/reading/schema";
import { utmOf } from "#lib/links/utm/schema";
import { AppError } from "#lib/platform/errors";
import { findErrorKey } from "#lib/platform/messages";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { action, formArgument, nameArgument, plainAction, readBy } from "../../../action.ts";
import { refusalOf } from "../../../refusals.ts";
import { refreshPages, requireScope, runInWorkspace } from "../../access.ts";
import { changeAction, readAction } from "../../workspace-action.ts";
import { errorAnswer } from "./link-errors.ts";
import { parseLink } from "./parse-link.ts";

export const createLinkAction = action(
  [nameArgument, readBy(formArgument(), (data) => parseLink(data, createLinkBody))],
  async (slug, fields): Promise<FormAnswer<CreatedLink>> => {
    return await runInWorkspace(slug, async (scope) => {
      const options = { source: "dashboard", prefill: true } as const;
      const [outcome] = await createLinks(scope, [fields], options);
      if (!outcome) throw new Error("createLinks returned no outcome");
      if (!outcome.ok) return errorAnswer(outcome);
      refreshPages(slug);
      const { id, shortLink } = outcome.link;
      return { ok: true, done: { id, shortLink } };
    });
  },
);

export const editLinkAction = action(
  [nameArgument, formArgument()],
  async (slug, data): Promise<FormAnswer<SavedLink>> => {
    const parsed = parseLink(data, editLinkBody);
    if (!parsed.ok) return parsed;
    return await runInWorkspace(slug, async (scope) => {
      const { url } = parsed.value;
      // The form shows the whole URL, so a parameter that is missing was removed on purpose.
      const edit = url ? { ...parsed.value, ...utmOf(url) } : parsed.value;
      const outcome = await editLink(scope, String(data.get("id")), edit);
      if (!outcome.ok) return errorAnswer(outcome);
      refreshPages(slug);
      const { id, shortLink, updatedAt } = outcome.link;
      return { ok: true, done: { id, shortLink, updatedAt } };
    });
  },
);

const hitsMax = 8;

export const findLinksAction = plainAction(
  [nameArgument, listLinksQuery.shape.search.unwrap()],
  [],
  async (slug, text): Promise<LinkHit[]> => {
    const scope = await requireScope(slug);
    const query = listLinksQuery.safeParse({ search: text, pageSize: hitsMax });
    if (!query.success) return [];
    const links = await listLinks(scope, query.data);
    return links.map(({ id, shortLink, url }) => ({
      id,
      name: withoutScheme(shortLink),
      url: withoutScheme(url),
    }));
  },
);

export const checkDestinationAction = changeAction([nameArgument], (scope, id) =>
  checkAgain(scope, id),
);

export const listHistoryAction = readAction([nameArgument, nameArgument], listHistory);

export const restoreStateAction = action(
  [nameArgument, nameArgument, nameArgument.nullable(), z.int()],
  async (slug, id, entry, seenRevision): Promise<FormAnswer<RestoredLinkState>> => {
    return await restore(slug, (scope) => restoreState(scope, id, entry, seenRevision));
  },
);

export const undoEditAction = action(
  [nameArgument, nameArgument, nameArgument],
  async (slug, id, savedAt): Promise<FormAnswer<RestoredLinkState>> => {
    return await restore(slug, (scope) => undoEdit(scope, id, savedAt));
  },
);

async function restore(
  slug: string,
  run: (scope: WorkspaceScope) => Promise<StateRestore>,
): Promise<FormAnswer<RestoredLinkState>> {
  return await runInWorkspace(slug, async (scope) => {
    const outcome = await run(scope).catch(asInvalid);
    if (!outcome) return { ok: false, form: "valueRefused" };
    if (!outcome.ok && outcome.code === "destination_refused") {
      const { key, values } = refusalOf(outcome.details);
      return { ok: false, form: key, values };
    }
    if (!outcome.ok) return { ok: false, form: findErrorKey(outcome.code) ?? "valueRefused" };
    refreshPages(slug);
    return { ok: true, done: { revision: outcome.revision, leftOut: outcome.leftOut } };
  });
}

/** The API refuses old values that are no longer valid, and links that have changed too often since then. */
function asInvalid(error: unknown): undefined {
  if (error instanceof AppError && error.code === "unprocessable_entity") return undefined;
  throw error;
}
