/** Making links: what bodies name is found for all of them at once, then each is prepared and joins a group commit. */

import { externalIdTaken, type Lookups, lookUp, type Refusal, refuse } from "#lib/links/fields";
import type { NewLink } from "#lib/links/fields/schema";
import type { Domain } from "#lib/links/hosts";
import type { Shown } from "#lib/links/reading";
import type { Matched, Written } from "#lib/links/writing";
import { commitLink, commitMatch, takeCodes } from "#lib/links/writing";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { type Maker, type OneMaker, type Prepared, prepareLink } from "./draft.ts";

/** A day, for callers who say only that they want the same link again. */
const reuseSecondsDefault = 86_400;

/** A link that was made, before it is presented. */
export interface Made extends Shown {
  ok: true;
}

/** A link that was there already. */
export interface Met {
  ok: true;
  found: string;
}

export type MakeOutcome = Made | Met | Refusal;

/** The ids of links that were there already. */
export function metIds(outcomes: readonly ({ ok: boolean } | Met)[]): string[] {
  return outcomes.flatMap((outcome) => ("found" in outcome ? [outcome.found] : []));
}

/** One promise for each body, in their order. `parts` are their places in a call that has more. */
export async function makeLinks(
  scope: WorkspaceScope,
  bodies: readonly NewLink[],
  maker: Maker,
  parts?: readonly number[],
): Promise<Promise<MakeOutcome>[]> {
  const [codes, lookups] = await Promise.all([takeCodes(bodies.length), lookUp(scope, bodies)]);
  return bodies.map((body, at) => {
    const code = codes[at];
    if (!code) throw new Error("The pool answered too few codes");
    return makeLink(scope, body, lookups, { ...maker, code, part: parts?.[at] ?? at });
  });
}

async function makeLink(
  scope: WorkspaceScope,
  body: NewLink,
  lookups: Lookups,
  maker: OneMaker,
): Promise<MakeOutcome> {
  const prepared = prepareLink(scope, body, lookups, maker);
  if (!prepared.ok) return prepared;
  const { draft, domain } = prepared;
  const within = reuseSeconds(scope, body);
  const written =
    within === undefined
      ? await commitLink(draft)
      : await commitMatch({ draft, within, domainPk: domain.pk });
  return present(scope, body, prepared, written);
}

/** The seconds for which a url keeps its link; undefined: every call makes one. */
export function reuseSeconds(scope: WorkspaceScope, body: NewLink): number | undefined {
  const wish = body.reuse ?? scope.reuseSeconds;
  if (wish === null || wish === false) return undefined;
  // Whoever names a link wants that link and no other.
  if (body.key || body.prefix || body.keyLength || body.externalId) return undefined;
  return wish === true ? (scope.reuseSeconds ?? reuseSecondsDefault) : wish;
}

/** Makes a link with the password of another one, of which only the hash is known. */
export async function makeCopy(
  scope: WorkspaceScope,
  body: NewLink,
  passwordHash: string | null,
  maker: Maker,
): Promise<MakeOutcome> {
  const [[code], lookups] = await Promise.all([takeCodes(1), lookUp(scope, [body])]);
  if (!code) throw new Error("The pool answered no code");
  const prepared = prepareLink(scope, body, lookups, { ...maker, code, part: 0 });
  if (!prepared.ok) return prepared;
  const { draft } = prepared;
  draft.row.password_hash = passwordHash;
  draft.plain &&= passwordHash === null;
  return present(scope, body, prepared, await commitLink(draft));
}

/** Makes a link unless the workspace has one with this url, on the domain that the body names. */
export async function makeUnmatched(
  scope: WorkspaceScope,
  body: NewLink,
  maker: Maker,
): Promise<MakeOutcome> {
  const [[code], lookups] = await Promise.all([takeCodes(1), lookUp(scope, [body])]);
  if (!code) throw new Error("The pool answered no code");
  const prepared = prepareLink(scope, body, lookups, { ...maker, code, part: 0 });
  if (!prepared.ok) return prepared;
  const domainPk = body.domain ? prepared.domain.pk : undefined;
  const match = { draft: prepared.draft, within: undefined, domainPk };
  return present(scope, body, prepared, await commitMatch(match));
}

export function present(
  scope: WorkspaceScope,
  body: NewLink,
  { domain, tags }: Prepared,
  written: Matched,
): MakeOutcome {
  if (!written.ok) return refusalOf(written, body, domain);
  if ("found" in written) return written;
  const context = {
    slug: domain.slug,
    workspaceId: scope.workspaceId,
    userId: scope.userId,
    folderId: body.folderId || null,
    tags,
    clicks: 0,
    lastClickAt: null,
  };
  return { ok: true, row: written.row, context };
}

/** What to change about a link that was refused while it was written. */
function refusalOf(
  refusal: Extract<Written, { ok: false }>,
  body: NewLink,
  domain: Domain,
): Refusal {
  const messages = {
    key_taken: `The key "${body.key}" is taken on ${domain.slug}. Choose another one.`,
    keys_used_up: `Nearly all keys of this length are taken on ${domain.slug}. Ask for a longer keyLength.`,
    repeat_differs:
      "This Idempotency-Key was sent with another body. Use a new key for a new call.",
    external_id_taken: externalIdTaken(body.externalId),
  };
  if (refusal.code === "quota_used_up") return refusal;
  return refuse(refusal.code, messages[refusal.code]);
}
