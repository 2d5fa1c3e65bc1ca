import type { LinkRow } from "#lib/links/link-rows";
import type { WorkspaceScope } from "#lib/tenancy/access";

/** A link on its way into the database. */
export interface Draft {
  row: LinkRow;
  tagPks: number[];
  /** Text under which people find the link; undefined: found by exact key, url or externalId only. */
  search: string | undefined;
  /** A generated code and a url, nothing else. */
  plain: boolean;
  /** Gives the draft another key when its own is taken; undefined for a code, and for a key that someone chose. */
  redraw: (() => void) | undefined;
  /** Which link is given instead of a new one; undefined: a new one is made in any case. */
  match: Match | undefined;
  /** Put into Redis ahead of the first visit. */
  prefill: boolean;
  /** Whose plan limits how many links it makes; undefined: nobody counts */
  limitedScope: WorkspaceScope | undefined;
  /** The call that may be sent again, and which of its links this is. */
  repeat: Repeat | undefined;
}

/** The newest link with the url of the draft, among these. */
export interface Match {
  /** Seconds since its last use in which a link is given again; undefined: any link with this url. */
  within: number | undefined;
  /** Only links of this domain; undefined: of any. */
  domainPk: number | undefined;
}

/** A call that its sender marked, so that sending it again makes nothing twice. Digests are written like uuids. */
export interface Repeat {
  digest: string;
  /** Of the whole body: the same mark on another body is a mistake. */
  request: string;
  /** The place of the link in the call. */
  part: number;
}

export type Written =
  /** `found`: the id of a link that matches and is there already. */
  | { ok: true; found: string }
  /** `isNew`: false when an earlier call made the link. */
  | { ok: true; row: LinkRow; isNew: boolean }
  | {
      ok: false;
      code: "key_taken" | "keys_used_up" | "external_id_taken" | "repeat_differs";
    }
  | { ok: false; code: "quota_used_up"; message: string };
