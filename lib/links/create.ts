/** Making links: what bodies name is found for all of them at once, then each is prepared and joins a group commit. */
import type { Domain } from "#lib/domains";
import type { WorkspaceScope } from "#lib/workspaces";
import { type Refusal, refuse } from "./body.ts";
import { commitLink, type Written } from "./commit.ts";
import { type Maker, prepareLink } from "./draft.ts";
import { type Lookups, lookUp } from "./lookups.ts";
import { takeCodes } from "./pool.ts";
import type { LinkContext, LinkRow } from "./row.ts";
import type { NewLink } from "./schema.ts";

/** A link that was made, before it is presented. */
export interface Made {
  ok: true;
  row: LinkRow;
  context: LinkContext;
}

/** One outcome for each body, in their order. */
export async function makeLinks(
  scope: WorkspaceScope,
  bodies: readonly NewLink[],
  maker: Maker,
): Promise<(Made | Refusal)[]> {
  const [codes, lookups] = await Promise.all([takeCodes(bodies.length), lookUp(scope, bodies)]);
  return Promise.all(
    bodies.map((body, at) => {
      const code = codes[at];
      if (!code) throw new Error("The pool answered too few codes");
      return makeLink(scope, body, code, lookups, maker);
    }),
  );
}

async function makeLink(
  scope: WorkspaceScope,
  body: NewLink,
  code: { pk: number; code: string },
  lookups: Lookups,
  maker: Maker,
): Promise<Made | Refusal> {
  const prepared = prepareLink(scope, body, code, lookups, maker);
  if (!prepared.ok) return prepared;
  const written = await commitLink(prepared.draft);
  if (!written.ok) return refusalOf(written, body, prepared.domain);
  const context = {
    slug: prepared.domain.slug,
    workspaceId: scope.workspaceId,
    userId: scope.userId,
    folderId: body.folderId || null,
    tags: prepared.tags,
    clicks: 0,
    lastClickAt: null,
  };
  return { ok: true, row: written.row, context };
}

/** What to change about a link that was refused while it was written. */
function refusalOf(
  { code }: Extract<Written, { ok: false }>,
  body: NewLink,
  domain: Domain,
): Refusal {
  const messages = {
    key_taken: `The key "${body.key}" is taken on ${domain.slug}. Choose another one.`,
    keys_used_up: `Nearly all keys of this length are taken on ${domain.slug}. Ask for a longer keyLength.`,
    external_id_taken: `Another link has the externalId "${body.externalId}". Each may be used once.`,
  };
  return refuse(code, messages[code]);
}
