"use server";

import { createLinks } from "#lib/links/creating";
import { createLinkBody } from "#lib/links/fields/schema";
import type { FormAnswer } from "../../../components/forms/form.tsx";
import type { CreatedLink } from "../../../components/links/link-creator.tsx";
import { takeBegun } from "../../begun.ts";
import { answerIn, renewPages } from "../seat.ts";

/** Creates the link that was requested before signing in; null: there is none, or another page created it. */
export async function makeBegunAction(slug: string): Promise<FormAnswer<CreatedLink | null>> {
  return await answerIn(slug, async (scope) => {
    const parsed = createLinkBody.pick({ url: true }).safeParse({ url: await takeBegun() });
    if (!parsed.success) return { ok: true, done: null };
    const maker = { source: "dashboard", prefill: true } as const;
    const [outcome] = await createLinks(scope, [parsed.data], maker);
    if (!outcome?.ok) {
      const word = outcome?.code === "quota_used_up" ? "planFull" : "urlInvalid";
      return { ok: false, form: outcome?.code === "url_loops" ? "urlLoops" : word };
    }
    renewPages(slug);
    const { shortLink, url } = outcome.link;
    return { ok: true, done: { shortLink, url } };
  });
}
