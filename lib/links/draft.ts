/** From what a create says to a row that can be written, or to the sentence that says what to change. */
import { isReservedSegment, type ReadyCode } from "#lib/codes";
import { type Domain, defaultHost, findDomain } from "#lib/domains";
import { newUuid, uuidTime } from "#lib/ids";
import type { WorkspaceScope } from "#lib/workspaces";
import type { Draft, LinkRow } from "./row.ts";
import { keyCharsMax, type NewLink } from "./schema.ts";

export type RefusalCode =
  | "external_id_taken"
  | "key_taken"
  | "key_invalid"
  | "domain_unknown"
  | "url_loops"
  | "tag_unknown";

export interface Refusal {
  ok: false;
  code: RefusalCode;
  message: string;
}

export interface Prepared {
  ok: true;
  draft: Draft;
  domain: Domain;
}

/** Who makes a link, in the columns that say so. */
export interface Maker {
  source: "api" | "dashboard";
  /** True when the links of this call will probably be visited within seconds. */
  prefill: boolean;
}

function refuse(code: RefusalCode, message: string): Refusal {
  return { ok: false, code, message };
}

const forbiddenInKey = /[\p{Cc}\p{Cf}\p{Cs}\s\\?#%]/u;

/** The key as it is stored, or why it cannot be one. */
export function parseKey(text: string): { ok: true; key: string } | Refusal {
  const key = text.normalize("NFC").replace(/^\/+|\/+$/g, "");
  if (key === "" || [...key].length > keyCharsMax) {
    return refuse("key_invalid", `A key has 1 to ${keyCharsMax} characters.`);
  }
  if (forbiddenInKey.test(key)) {
    return refuse("key_invalid", "A key has no blanks, control characters, ?, #, % or \\.");
  }
  const segments = key.split("/");
  if (segments.some((segment) => segment === "" || segment === "." || segment === "..")) {
    return refuse("key_invalid", "The parts of a key between slashes are neither empty nor dots.");
  }
  if (isReservedSegment(segments[0] ?? "")) {
    return refuse("key_invalid", `"${segments[0]}" is reserved. Choose another key.`);
  }
  return { ok: true, key };
}

/** Makes the draft of one new link. `code` is used up only when the link has no key of its own. */
export async function prepareLink(
  scope: WorkspaceScope,
  body: NewLink,
  code: ReadyCode,
  tagPks: number[],
  maker: Maker,
): Promise<Prepared | Refusal> {
  const domain = await findDomain(scope, body.domain);
  if (!domain) {
    return refuse("domain_unknown", `This workspace has no domain "${body.domain}". Add it first.`);
  }
  if (new URL(body.url).hostname === defaultHost()) {
    return refuse("url_loops", "The destination is a short link itself. Give the final address.");
  }
  const named = body.key === undefined ? undefined : parseKey(body.key);
  if (named && !named.ok) return named;
  const row = rowOf(scope, body, domain, code, named?.key);
  const search = maker.source === "dashboard" ? searchText(row) : undefined;
  return { ok: true, domain, draft: { row, tagPks, search, prefill: maker.prefill } };
}

function rowOf(
  scope: WorkspaceScope,
  body: NewLink,
  domain: Domain,
  code: ReadyCode,
  key: string | undefined,
): LinkRow {
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
    key: key ?? code.code,
    url: body.url,
    alias: key !== undefined,
    created_at: created,
    updated_at: created,
    ...optionalColumns(body),
    disabled_at: null,
    banned_at: null,
  };
}

function momentOf(text: string | null | undefined): Date | null {
  return text ? new Date(text) : null;
}

function optionalColumns(body: NewLink) {
  return {
    redirect_status: body.redirectStatus ?? 0,
    archived: body.archived ?? false,
    track_conversion: body.trackConversion ?? false,
    do_index: body.doIndex ?? false,
    public_stats: body.publicStats ?? false,
    external_id: body.externalId ?? null,
    tenant_id: body.tenantId ?? null,
    comments: body.comments ?? null,
    title: body.title ?? null,
    description: body.description ?? null,
    starts_at: momentOf(body.startsAt),
    expires_at: momentOf(body.expiresAt),
    expired_url: body.expiredUrl ?? null,
  };
}

/** What people type when they look for a link. */
export function searchText(row: Pick<LinkRow, "key" | "url" | "title" | "comments">): string {
  return [row.key, row.url, row.title, row.comments].filter(Boolean).join("\n").slice(0, 4_000);
}
