"use server";

import { z } from "zod";
import { createLinks, editLink, type LinkOutcome, listLinks } from "#lib/links";
import { createLinkBody, listLinksQuery } from "#lib/links/schema";
import type { FormAnswer } from "../../../../components/forms/form.tsx";
import type { CreatedLink } from "../../../../components/links/link-creator.tsx";
import { withoutScheme } from "../../../../components/links/names.ts";
import type { LinkHit } from "../../../../components/shell/palette.tsx";
import { parseForm } from "../../../form-data.ts";
import { answerIn, renewPages, requireScope } from "../../seat.ts";

const fieldWords = {
  url: "urlInvalid",
  key: "keyInvalid",
  domain: "domainUnknown",
  title: "tooLong",
  comments: "tooLong",
} as const;

type RefusalCode = Extract<LinkOutcome, { ok: false }>["code"];

type Answer = Omit<Extract<FormAnswer<never>, { ok: false }>, "ok">;

/** Of the others no form of the dashboard has a field yet. */
const refusals: Partial<Record<RefusalCode, Answer>> = {
  key_taken: { fields: { key: "keyTaken" } },
  key_invalid: { fields: { key: "keyInvalid" } },
  domain_unknown: { fields: { domain: "domainUnknown" } },
  url_loops: { fields: { url: "urlLoops" } },
  tag_unknown: { fields: { tags: "tagUnknown" } },
};

function answerTo(code: RefusalCode): { ok: false } & Answer {
  return { ok: false, ...(refusals[code] ?? { form: "unknown" }) };
}

export async function createLinkAction(
  slug: string,
  data: FormData,
): Promise<FormAnswer<CreatedLink>> {
  const form = createLinkBody.pick({ url: true, domain: true, key: true });
  const parsed = parseForm(data, form, fieldWords);
  if (!parsed.ok) return parsed;
  return await answerIn(slug, async (scope) => {
    const maker = { source: "dashboard", prefill: true } as const;
    const [outcome] = await createLinks(scope, [parsed.value], maker);
    if (!outcome) throw new Error("One link was asked for and none was answered");
    if (!outcome.ok) return answerTo(outcome.code);
    renewPages(slug);
    const { shortLink, url } = outcome.link;
    return { ok: true, done: { shortLink, url } };
  });
}

/** A field that was emptied clears its value. */
const editForm = createLinkBody.pick({ url: true, key: true }).extend({
  id: z.string(),
  title: createLinkBody.shape.title.default(null),
  comments: createLinkBody.shape.comments.default(null),
  archived: z.stringbool().default(false),
});

export async function editLinkAction(
  slug: string,
  data: FormData,
): Promise<FormAnswer<{ shortLink: string }>> {
  const parsed = parseForm(data, editForm, fieldWords);
  if (!parsed.ok) return parsed;
  const { id, ...changes } = parsed.value;
  return await answerIn(slug, async (scope) => {
    const outcome = await editLink(scope, id, changes);
    if (!outcome.ok) return answerTo(outcome.code);
    renewPages(slug);
    return { ok: true, done: { shortLink: outcome.link.shortLink } };
  });
}

const hitsMax = 8;

/** Links for the palette. */
export async function findLinksAction(slug: string, text: string): Promise<LinkHit[]> {
  const scope = await requireScope(slug);
  const asked = listLinksQuery.safeParse({ search: text, pageSize: hitsMax });
  if (!asked.success) return [];
  const links = await listLinks(scope, asked.data);
  return links.map(({ id, shortLink, url }) => ({
    id,
    name: withoutScheme(shortLink),
    url: withoutScheme(url),
  }));
}
