import type { LinkRow } from "#lib/links/link-rows";
import type { WorkspaceScope } from "#lib/tenancy/access";

export interface Draft {
  row: LinkRow;
  tagPks: number[];
  /** Undefined: links/indexing adds it later, or the link is only found by its exact key, URL or externalId. */
  search: string | undefined;
  plain: boolean;
  /** A deleted link had the code, so caches may have stored that it is missing. */
  recycled: boolean;
  /** Draws another key if this one is taken. Undefined for codes and chosen keys. */
  redraw: (() => void) | undefined;
  /** Which link to return instead of a new one. Undefined: always create a link. */
  match: ReuseRule | undefined;
  /** The password is the mask of a response: the link may be found, but not created. */
  masked: boolean;
  /** Written to Redis before the first visit. */
  prefill: boolean;
  limitedScope: WorkspaceScope | undefined;
  /** The scope of a new workspace whose links on shared domains are limited. */
  newScope: WorkspaceScope | undefined;
  repeat: IdempotentCall | undefined;
}

/** Reuses the newest link that has the URL of the draft and meets these conditions. */
export interface ReuseRule {
  /** A link is reused if its last use was within this many seconds. Undefined: any link with this URL. */
  within: number | undefined;
  /** Undefined: links of all domains. */
  domainPk: number | undefined;
  /** Excludes folders that are hidden from this person. Null: excludes none. */
  readerPk: number | null;
  /** Only links of these domains and folders, as PostgreSQL arrays. Null: all links. */
  onlyDomains: string | null;
  onlyFolders: string | null;
}

/** A call with an idempotency key. Digests are written like UUIDs. */
export interface IdempotentCall {
  digest: string;
  /** Digest of the whole body. The same key with another body is an error. */
  request: string;
  part: number;
}

export type WriteOutcome =
  | { ok: true; found: string }
  /** `isNew`: false if an earlier call created the link. */
  | { ok: true; row: LinkRow; isNew: boolean }
  | {
      ok: false;
      code:
        | "key_taken"
        | "keys_used_up"
        | "external_id_taken"
        | "repeat_differs"
        | "password_masked";
    }
  | { ok: false; code: "quota_used_up"; message: string }
  | {
      ok: false;
      code: "first_links_used_up";
      message: string;
      details: { max: number; hours: number };
    };
