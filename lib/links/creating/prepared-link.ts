import { newUuid, uuidTime } from "#lib/basics/ids";
import { checksReputation } from "#lib/destinations/reputation";
import {
  findCrossedDates,
  findForbiddenFrame,
  findRefusedUrl,
  type LinkFailure,
  type Lookups,
  linkFailure,
  noDomain,
  readBody,
  type TagRow,
} from "#lib/links/fields";
import { isUrlOnly, keyCharsMax, type NewLink, passwordMask } from "#lib/links/fields/schema";
import type { Domain } from "#lib/links/hosts";
import { codeChars, drawKey, parseNewKey } from "#lib/links/keys";
import { plainColumns } from "#lib/links/link-columns/schema";
import { alreadyImported, type LinkRow } from "#lib/links/link-rows";
import { findLockedUse, lockedUse } from "#lib/links/plan-uses";
import { searchText } from "#lib/links/search/schema";
import type { Tag } from "#lib/links/tags/schema";
import { variantsAfter, withParameters } from "#lib/links/utm";
import type { Draft, IdempotentCall, ReuseRule } from "#lib/links/writing";
import type { ReadyCode } from "#lib/platform/codes";
import { onlyCreatorPk, type WorkspaceScope } from "#lib/tenancy/access";
import { limitsFirstLinks, quotaOf } from "#lib/tenancy/quotas";
import { outOfReach } from "#lib/tenancy/reach";

/** For callers that ask for reuse without a period: a day. */
const reuseSecondsDefault = 86_400;

export interface PreparedLink {
  ok: true;
  draft: Draft;
  domain: Domain;
  tags: Tag[];
}

/** `campaign`: links of recipients, which get no search text. */
export type LinkSource = "api" | "dashboard" | "campaign";

export interface CreateOptions {
  source: LinkSource;
  /** The links of this call will probably be visited within seconds. */
  prefill: boolean;
  repeat?: Omit<IdempotentCall, "part"> | undefined;
}

export interface SingleCreateOptions extends CreateOptions {
  /** Only used if the link gets no other key. */
  code: ReadyCode;
  part: number;
}

export function prepareLink(
  scope: WorkspaceScope,
  body: NewLink,
  lookups: Lookups,
  { code, part, ...options }: SingleCreateOptions,
): PreparedLink | LinkFailure {
  const domain = lookups.domains.get(body.domain ?? "");
  if (!domain) {
    return linkFailure("domain_unknown", noDomain(body.domain));
  }
  const refused = findRefusedUrl(body, lookups);
  if (refused) return refused;
  const key = chooseKey(body, code, domain);
  if (!key.ok) return key;
  const row = rowOf(scope, body.url, domain, code);
  row.key = key.key;
  row.alias = key.alias;
  // Null means no expiration. If the field is missing, the workspace’s lifetime applies.
  const lifetime = body.expiresAt === undefined ? scope.lifetimeSeconds : null;
  const urlOnly = isUrlOnly(body) && lifetime === null;
  const done = urlOnly ? nothingApplied : applyBody(row, body, lookups, domain);
  const applied = withinReach(scope, row, withinPlan(scope, row, body, done));
  if (!applied.ok) return applied;
  applyLifetime(row, lifetime);
  const search = isIndexedAtOnce(scope, options.source) ? searchText(row) : undefined;
  const limits = limitsOf(scope, domain);
  const match = matchOf(scope, body, domain);
  const draft: Draft = {
    row,
    tagPks: applied.tags.map(({ pk }) => pk),
    search,
    plain:
      urlOnly &&
      search === undefined &&
      !key.alias &&
      !code.recycled &&
      isPlainInsert(options, limits, match),
    recycled: code.recycled === true,
    ...limits,
    match,
    redraw: redrawOf(row, key.draw),
    masked: body.password === passwordMask,
    prefill: options.prefill,
    repeat: options.repeat && { ...options.repeat, part },
  };
  return { ok: true, domain, draft, tags: applied.tags.map(({ pk: _pk, ...tag }) => tag) };
}

/** Links of API keys are indexed after the response (links/indexing). */
function isIndexedAtOnce({ apiKeyPk }: WorkspaceScope, source: LinkSource): boolean {
  return source === "dashboard" || (source === "api" && apiKeyPk === null);
}

type Limits = Pick<Draft, "limitedScope" | "newScope">;

function limitsOf(scope: WorkspaceScope, { workspacePk }: Domain): Limits {
  const isShared = workspacePk === undefined;
  return {
    limitedScope: quotaOf(scope, "links") === null ? undefined : scope,
    // defence: first-links-limited
    newScope: isShared && limitsFirstLinks(scope) ? scope : undefined,
  };
}

function isPlainInsert(options: CreateOptions, limits: Limits, match?: ReuseRule): boolean {
  return (
    // defence: created-destination-checked
    !checksReputation() && !options.repeat && !limits.limitedScope && !limits.newScope && !match
  );
}

function redrawOf(row: LinkRow, draw: ChosenKey["draw"]): Draft["redraw"] {
  if (!draw) return undefined;
  return () => {
    row.key = draw();
  };
}

function matchOf(scope: WorkspaceScope, body: NewLink, { pk }: Domain): ReuseRule | undefined {
  const reuse = body.reuse ?? scope.reuseSeconds;
  if (reuse === null || reuse === false) return undefined;
  if (body.key || body.prefix || body.keyLength || body.externalId) return undefined;
  const within = reuse === true ? (scope.reuseSeconds ?? reuseSecondsDefault) : reuse;
  return { within, domainPk: pk, ...readerOf(scope) };
}

export function readerOf(scope: WorkspaceScope): Omit<ReuseRule, "within" | "domainPk"> {
  const { domains, folderPks } = scope.reach;
  return {
    // defence: hidden-link-not-reused
    readerPk: onlyCreatorPk(scope),
    onlyDomains: domains && `{${domains.map(({ pk }) => pk).join()}}`,
    onlyFolders: folderPks && `{${folderPks.join()}}`,
  };
}

function applyLifetime(row: LinkRow, lifetimeSeconds: number | null): void {
  if (lifetimeSeconds === null) return;
  const opensAt = Math.max(row.created_at.getTime(), row.starts_at?.getTime() ?? 0);
  row.expires_at = new Date(opensAt + 1_000 * lifetimeSeconds);
}

type AppliedBody = { ok: true; tags: TagRow[] } | LinkFailure;
const nothingApplied: AppliedBody = { ok: true, tags: [] };

function withinPlan(scope: WorkspaceScope, row: LinkRow, body: NewLink, applied: AppliedBody) {
  if (!applied.ok || applied === nothingApplied) return applied;
  // Checks the body for a password, because a dry run has no hash.
  const password = body.password ? lockedUse(scope, "passwords") : undefined;
  return password ?? findLockedUse(scope, undefined, row) ?? applied;
}

function withinReach(scope: WorkspaceScope, row: LinkRow, applied: AppliedBody): AppliedBody {
  const unreached = applied.ok ? outOfReach(scope, row) : undefined;
  return unreached ? linkFailure("folder_forbidden", unreached) : applied;
}

function applyBody(row: LinkRow, body: NewLink, lookups: Lookups, domain: Domain): AppliedBody {
  const before = body.origin?.shortLink;
  if (before && lookups.origins.has(before)) {
    return linkFailure("already_imported", alreadyImported(before), { link: before });
  }
  const reading = readBody(body, lookups);
  if (!reading.ok) return reading;
  Object.assign(row, reading.columns);
  row.origin = body.origin ?? null;
  row.url = withParameters(row.url, body, "keep");
  if (row.test_variants && row.url !== body.url) {
    row.test_variants = variantsAfter(row.test_variants, body.url, row.url);
  }
  const failure = findCrossedDates(row) ?? findForbiddenFrame(row, domain.slug);
  return failure ?? { ok: true, tags: reading.tags ?? [] };
}

interface ChosenKey {
  ok: true;
  key: string;
  alias: boolean;
  /** Draws another code if this one is taken. Undefined for a chosen key. */
  draw: (() => string) | undefined;
}

function chooseKey(body: NewLink, code: ReadyCode, domain: Domain): ChosenKey | LinkFailure {
  if (body.key) {
    const parsed = parseNewKey(body.key, domain);
    if (!parsed.ok) return linkFailure("key_invalid", `key: ${parsed.message}`);
    return { ok: true, key: parsed.key, alias: true, draw: undefined };
  }
  const length = body.keyLength ?? codeChars;
  if (!body.prefix && length === codeChars && !domain.caseInsensitive) {
    return { ok: true, key: code.code, alias: false, draw: undefined };
  }
  const prefix = body.prefix ? parseNewKey(body.prefix, domain) : { ok: true as const, key: "" };
  if (!prefix.ok) return linkFailure("key_invalid", `prefix: ${prefix.message}`);
  if (prefix.key !== "" && prefix.key.length + 1 + length > keyCharsMax) {
    const message = `prefix: Use at most ${keyCharsMax} characters for prefix and key together.`;
    return linkFailure("key_invalid", message);
  }
  const draw = () => drawKey(prefix.key, length, domain.caseInsensitive);
  return { ok: true, key: draw(), alias: true, draw };
}

function rowOf(scope: WorkspaceScope, url: string, domain: Domain, code: ReadyCode): LinkRow {
  const id = newUuid();
  const created = new Date(uuidTime(id));
  return {
    pk: code.pk,
    id,
    revision: 0,
    workspace_pk: scope.workspacePk,
    domain_pk: domain.pk,
    user_pk: scope.userPk,
    api_key_pk: scope.apiKeyPk,
    key: code.code,
    url,
    alias: false,
    created_at: created,
    updated_at: created,
    ...plainColumns,
  };
}
