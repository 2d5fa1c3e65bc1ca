/**
 * What a visit needs to know about a link, and under which name caches keep it. In Redis it is one line of text:
 *
 *     link US workspace US domain US status US starts US ends US state US url US expired url
 *
 * numbers in decimal, times in milliseconds (0: none), state one letter, US = 0x1f, which no url contains.
 */
const fieldEnd = "\x1f";

/** `a` active, `d` disabled, `b` banned */
export type TargetState = "a" | "d" | "b";

export interface TargetRow {
  linkPk: number;
  workspacePk: number;
  domainPk: number;
  /** HTTP status of the redirect; 0: the default */
  status: number;
  startsAt: number;
  endsAt: number;
  state: TargetState;
  url: string;
  expiredUrl: string;
}

/** The columns of `link` that make a target. */
export interface TargetColumns {
  pk: number;
  workspace_pk: number;
  domain_pk: number;
  redirect_status: number;
  starts_at: Date | null;
  expires_at: Date | null;
  disabled_at: Date | null;
  banned_at: Date | null;
  url: string;
  expired_url: string | null;
}

/** The name of a link's entry in every cache. */
export function targetEntry(domainPk: number, key: string): string {
  return `l:${domainPk}:${key}`;
}

export function parseTargetEntry(entry: string): { domainPk: number; key: string } {
  const end = entry.indexOf(":", 2);
  return { domainPk: Number(entry.slice(2, end)), key: entry.slice(end + 1) };
}

/** The name of a domain's entry in every cache. */
export function hostEntry(host: string): string {
  return `d:${host}`;
}

export function hostOfEntry(entry: string): string {
  return entry.slice(2);
}

export function targetOfColumns(row: TargetColumns): TargetRow {
  return {
    linkPk: row.pk,
    workspacePk: row.workspace_pk,
    domainPk: row.domain_pk,
    status: row.redirect_status,
    startsAt: row.starts_at?.getTime() ?? 0,
    endsAt: row.expires_at?.getTime() ?? 0,
    state: stateOf(row),
    url: row.url,
    expiredUrl: row.expired_url ?? "",
  };
}

function stateOf(row: TargetColumns): TargetState {
  if (row.banned_at) return "b";
  return row.disabled_at ? "d" : "a";
}

export function encodeTarget(row: TargetRow): string {
  const { linkPk, workspacePk, domainPk, status, startsAt, endsAt, state, url, expiredUrl } = row;
  return [linkPk, workspacePk, domainPk, status, startsAt, endsAt, state, url, expiredUrl].join(
    fieldEnd,
  );
}

export function decodeTarget(payload: string): TargetRow {
  const [linkPk, workspacePk, domainPk, status, startsAt, endsAt, state, url, expiredUrl] =
    payload.split(fieldEnd);
  return {
    linkPk: Number(linkPk),
    workspacePk: Number(workspacePk),
    domainPk: Number(domainPk),
    status: Number(status),
    startsAt: Number(startsAt),
    endsAt: Number(endsAt),
    state: state === "a" || state === "d" ? state : "b",
    url: url ?? "",
    expiredUrl: expiredUrl ?? "",
  };
}
