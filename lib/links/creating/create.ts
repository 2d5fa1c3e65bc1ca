/** Creates links: resolves all references at once, then prepares each link for a group commit. */
import { externalIdTaken, type LinkFailure, linkFailure, repeatDiffers } from "#lib/links/fields";
import { type Link, type NewLink, passwordMask } from "#lib/links/fields/schema";
import type { Domain } from "#lib/links/hosts";
import { findLockedUse } from "#lib/links/plan-uses";
import { findWithContext, type LinkWithContext, presentLink } from "#lib/links/presenting";
import { commitLink, type Draft, type WriteOutcome } from "#lib/links/writing";
import { AppError } from "#lib/platform/errors";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { countKeyLinks } from "#lib/tenancy/key-use";
import { rulesOf } from "#lib/tenancy/plans";
import { listensToNewLinks } from "#lib/tenancy/webhook-events";
import { loadWithCodes } from "./codes.ts";
import { type CreateOptions, type PreparedLink, prepareLink, readerOf } from "./prepared-link.ts";

export interface Created extends LinkWithContext {
  ok: true;
}

export interface Existing {
  ok: true;
  found: string;
}

export type CreateOutcome = Created | Existing | LinkFailure;

export function existingIds(outcomes: readonly ({ ok: boolean } | Existing)[]): string[] {
  return outcomes.flatMap((outcome) => ("found" in outcome ? [outcome.found] : []));
}

/** Returns one promise per body, in order. `parts` are the positions in a larger call. */
export async function startCreates(
  scope: WorkspaceScope,
  bodies: readonly NewLink[],
  options: CreateOptions,
  parts?: readonly number[],
): Promise<Promise<CreateOutcome>[]> {
  const { codes, lookups } = await loadWithCodes(scope, bodies);
  return bodies.map(async (body, at) => {
    const code = codes[at];
    if (!code) throw new Error("The code pool returned too few codes");
    const own = { ...options, code, part: parts?.[at] ?? at };
    const prepared = prepareLink(scope, body, lookups, own);
    if (!prepared.ok) return prepared;
    return present(scope, body, prepared, await commit(scope, prepared.draft));
  });
}

async function commit(scope: WorkspaceScope, draft: Draft): Promise<WriteOutcome> {
  // An event needs a transaction, and plain links are written without one.
  draft.plain &&= !(await listensToNewLinks(scope.workspacePk));
  const written = await commitLink(draft);
  if (written.ok && "isNew" in written && written.isNew) countKeyLinks(scope, 1);
  return written;
}

/** Responses show the mask instead of a password. A link created with it would be open to everyone. */
function maskedPassword(): AppError {
  return new AppError(
    "unprocessable_entity",
    `password: Replace ${passwordMask} with the password, or remove it.`,
  );
}

/** Creates a link with the password of another link, of which only the hash is stored. */
export async function createCopy(
  scope: WorkspaceScope,
  body: NewLink,
  passwordHash: string | null,
  options: CreateOptions,
): Promise<CreateOutcome> {
  const prepared = await prepareOne(scope, body, options);
  if (!prepared.ok) return prepared;
  const { draft } = prepared;
  draft.row.password_hash = passwordHash;
  const locked = findLockedUse(scope, undefined, draft.row);
  if (locked) return locked;
  draft.plain &&= passwordHash === null;
  return present(scope, body, prepared, await commit(scope, draft));
}

export async function createUnmatched(
  scope: WorkspaceScope,
  body: NewLink,
): Promise<CreateOutcome> {
  const prepared = await prepareOne(scope, body, apiOptions);
  if (!prepared.ok) return prepared;
  const domainPk = body.domain ? prepared.domain.pk : undefined;
  // defence: upsert-of-visible-links
  const match = { within: undefined, domainPk, ...readerOf(scope) };
  const draft = { ...prepared.draft, match };
  return present(scope, body, prepared, await commit(scope, draft));
}

async function prepareOne(scope: WorkspaceScope, body: NewLink, options: CreateOptions) {
  const { codes, lookups } = await loadWithCodes(scope, [body]);
  const [code] = codes;
  if (!code) throw new Error("The code pool returned no code");
  return prepareLink(scope, body, lookups, { ...options, code, part: 0 });
}

export function present(
  scope: WorkspaceScope,
  body: NewLink,
  { domain, tags }: PreparedLink,
  written: WriteOutcome,
): CreateOutcome {
  if (!written.ok) return failureOf(written, body, domain);
  if ("found" in written) return written;
  const context = {
    slug: domain.slug,
    workspaceId: scope.workspaceId,
    userId: scope.userId,
    folderId: body.folderId || null,
    tags,
    clicks: 0,
    scans: 0,
    retirement: rulesOf(scope),
    lastClickAt: null,
  };
  return { ok: true, row: written.row, context };
}

function failureOf(
  failure: Extract<WriteOutcome, { ok: false }>,
  body: NewLink,
  domain: Domain,
): LinkFailure {
  const messages = {
    key_taken: `key: "${body.key}" is already taken on ${domain.slug}. Choose another one.`,
    keys_used_up: `keyLength: Almost all keys of this length are taken on ${domain.slug}. Use a greater length.`,
    repeat_differs: repeatDiffers,
    external_id_taken: externalIdTaken(body.externalId),
  };
  if (failure.code === "quota_used_up" || failure.code === "first_links_used_up") return failure;
  if (failure.code === "password_masked") throw maskedPassword();
  return linkFailure(failure.code, messages[failure.code]);
}

export type LinkOutcome = { ok: true; link: Link } | LinkFailure;

const apiOptions = { source: "api", prefill: true } as const;

/** Creates links and returns one outcome each, in order. Returned links are committed. */
export async function createLinks(
  scope: WorkspaceScope,
  bodies: readonly NewLink[],
  options: CreateOptions = apiOptions,
): Promise<LinkOutcome[]> {
  assertMay(scope, "links.write");
  const outcomes = await Promise.all(await startCreates(scope, bodies, options));
  const existing = await findWithContext(scope, existingIds(outcomes));
  return outcomes.map((outcome) => {
    if (!outcome.ok) return outcome;
    const shown = "found" in outcome ? existing.get(outcome.found) : outcome;
    if (!shown) throw deletedMeanwhile();
    return { ok: true, link: presentLink(shown.row, shown.context) };
  });
}

function deletedMeanwhile(): AppError {
  const message = "The existing link for this url was just deleted. Send the request again.";
  return new AppError("conflict", message);
}
