import type { LinkRow } from "#lib/links/link-rows";
import type { WorkspaceScope } from "#lib/tenancy/access";

/** A link to be inserted. */
export interface Draft {
  row: LinkRow;
  tagPks: number[];
  /** Searchable text; undefined: found by exact key, URL or externalId only. */
  search: string | undefined;
  /** Only a generated code and a URL. */
  plain: boolean;
  /** Its code was that of a deleted link: caches may have stored its absence. */
  recycled: boolean;
  /** Draws another key when it is taken; undefined for a code, and for a chosen key. */
  redraw: (() => void) | undefined;
  /** Which link is returned instead of a new one; undefined: always a new one. */
  match: ReuseRule | undefined;
  /** Has the mask of a response for a password: the link may be found, but not created. */
  masked: boolean;
  /** Written to Redis ahead of the first visit. */
  prefill: boolean;
  /** The scope whose plan limits the number of links; undefined: no limit */
  limitedScope: WorkspaceScope | undefined;
  /** The scope of a new workspace whose links on shared domains are limited; undefined: no limit */
  newScope: WorkspaceScope | undefined;
  /** The idempotent call, and the position of this link in it. */
  repeat: IdempotentCall | undefined;
}

/** The newest link with the URL of the draft, among these. */
export interface ReuseRule {
  /** Seconds since its last use in which a link is reused; undefined: any link with this URL. */
  within: number | undefined;
  /** Only links of this domain; undefined: of any. */
  domainPk: number | undefined;
  /** Without links in folders that are hidden from this person; null: of all folders. */
  readerPk: number | null;
  /** Only links of these domains and folders, as arrays of PostgreSQL; null: of all. */
  onlyDomains: string | null;
  onlyFolders: string | null;
}

/** A call with an idempotency key: repeating it creates nothing twice. Digests are written like UUIDs. */
export interface IdempotentCall {
  digest: string;
  /** Digest of the whole body: the same key with another body is an error. */
  request: string;
  /** The position of the link in the call. */
  part: number;
}

export type WriteOutcome =
  /** `found`: the id of an existing link that matches. */
  | { ok: true; found: string }
  /** `isNew`: false when an earlier call created the link. */
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
