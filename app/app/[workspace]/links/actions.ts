"use server";

import { createLinks, type LinkOutcome } from "#lib/links/creating";
import { editLink } from "#lib/links/editing";
import { createLinkBody, editLinkBody } from "#lib/links/fields/schema";
import { listLinks } from "#lib/links/reading";
import { listLinksQuery } from "#lib/links/reading/schema";
import { utmOf } from "#lib/links/utm/schema";
import type { FormAnswer } from "../../../../components/forms/form.tsx";
import type { CreatedLink } from "../../../../components/links/link-creator.tsx";
import { withoutScheme } from "../../../../components/links/names.ts";
import type { LinkHit } from "../../../../components/shell/palette.tsx";
import { action, formArgument, nameArgument, plainAction } from "../../../action.ts";
import { firstLinksUsedUp, refusedField } from "../../../destination-messages.ts";
import { refreshPages, requireScope, runInWorkspace } from "../../access.ts";
import { parseLink } from "./parse-link.ts";

type Failure = Extract<LinkOutcome, { ok: false }>;
type FailureCode = Exclude<Failure["code"], "destination_refused" | "first_links_used_up">;

type ErrorAnswer = Omit<Extract<FormAnswer<never>, { ok: false }>, "ok">;

const errors: Record<FailureCode, ErrorAnswer> = {
  key_taken: { fields: { key: "keyTaken" } },
  key_invalid: { fields: { key: "keyInvalid" } },
  keys_used_up: { fields: { keyLength: "keysUsedUp" } },
  domain_unknown: { fields: { domain: "domainUnknown" } },
  root_link: { fields: { key: "rootLink" } },
  url_missing: { fields: { url: "urlInvalid" } },
  url_loops: { fields: { url: "urlLoops" } },
  tag_unknown: { fields: { tagIds: "tagUnknown" } },
  tags_too_many: { fields: { tagIds: "tagsTooMany" } },
  folder_unknown: { fields: { folderId: "folderUnknown" } },
  folder_forbidden: { fields: { folderId: "folderForbidden" } },
  external_id_taken: { fields: { externalId: "externalIdTaken" } },
  dates_crossed: { fields: { expiresAt: "datesCrossed", testCompletedAt: "datesCrossed" } },
  frame_forbidden: { fields: { domain: "frameForbidden" } },
  quota_used_up: { form: "quotaUsedUp" },
  plan_limit: { form: "planLimit" },
  logo_unknown: { form: "logoGone" },
  changed_meanwhile: { form: "changedMeanwhile" },
  repeat_differs: { form: "unknown" },
  jobs_waiting: { form: "unknown" },
};

function errorAnswer({ code, details }: Failure): FormAnswer<never> {
  if (code === "destination_refused") return refusedField("url", details);
  if (code === "first_links_used_up") return firstLinksUsedUp(details);
  return { ok: false, ...errors[code] };
}

export const createLinkAction = action(
  [nameArgument, formArgument()],
  async (slug, data): Promise<FormAnswer<CreatedLink>> => {
    const parsed = parseLink(data, createLinkBody);
    if (!parsed.ok) return parsed;
    return await runInWorkspace(slug, async (scope) => {
      const options = { source: "dashboard", prefill: true } as const;
      const [outcome] = await createLinks(scope, [parsed.value], options);
      if (!outcome) throw new Error("createLinks returned no outcome");
      if (!outcome.ok) return errorAnswer(outcome);
      refreshPages(slug);
      const { shortLink, url } = outcome.link;
      return { ok: true, done: { shortLink, url } };
    });
  },
);

export const editLinkAction = action(
  [nameArgument, formArgument()],
  async (slug, data): Promise<FormAnswer<{ shortLink: string }>> => {
    const parsed = parseLink(data, editLinkBody);
    if (!parsed.ok) return parsed;
    return await runInWorkspace(slug, async (scope) => {
      const { url } = parsed.value;
      // The form shows the whole URL: a parameter missing there was removed.
      const edit = url ? { ...parsed.value, ...utmOf(url) } : parsed.value;
      const outcome = await editLink(scope, String(data.get("id")), edit);
      if (!outcome.ok) return errorAnswer(outcome);
      refreshPages(slug);
      return { ok: true, done: { shortLink: outcome.link.shortLink } };
    });
  },
);

const hitsMax = 8;

/** Links for the command palette. */
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
