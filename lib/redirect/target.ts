/**
 * What a visit needs to know about a link, and nothing else. In Redis it is one line of text:
 *
 *     link US workspace US domain US status US starts US ends US state US url US expired url
 *
 * numbers in decimal, times in milliseconds (0: none), state one letter, US = 0x1f. In memory the parts that every
 * answer repeats are made once: the response head, and the part of the click event that names the link.
 */
import { fieldEnd } from "#lib/clicks";

/** `a` active, `d` disabled, `b` banned */
export type TargetState = "a" | "d" | "b";

export interface TargetRow {
  linkPk: number;
  workspacePk: number;
  domainPk: number;
  status: number;
  startsAt: number;
  endsAt: number;
  state: TargetState;
  url: string;
  expiredUrl: string;
}

export interface Target extends TargetRow {
  /** True when the answer is always the same redirect: the path that never leaves memory. */
  plain: boolean;
  head: string[];
  /** US link US workspace US domain US */
  eventPart: string;
}

const defaultStatus = 302;

export function encodeTarget(row: TargetRow): string {
  const { linkPk, workspacePk, domainPk, status, startsAt, endsAt, state, url, expiredUrl } = row;
  return [linkPk, workspacePk, domainPk, status, startsAt, endsAt, state, url, expiredUrl].join(
    fieldEnd,
  );
}

export function decodeTarget(payload: string): Target {
  const [linkPk, workspacePk, domainPk, status, startsAt, endsAt, state, url, expiredUrl] =
    payload.split(fieldEnd);
  return compileTarget({
    linkPk: Number(linkPk),
    workspacePk: Number(workspacePk),
    domainPk: Number(domainPk),
    status: Number(status),
    startsAt: Number(startsAt),
    endsAt: Number(endsAt),
    state: state === "a" || state === "d" ? state : "b",
    url: url ?? "",
    expiredUrl: expiredUrl ?? "",
  });
}

export function compileTarget(row: TargetRow): Target {
  return {
    ...row,
    status: row.status || defaultStatus,
    plain: row.state === "a" && row.startsAt === 0 && row.endsAt === 0,
    head: redirectHead(row.url),
    eventPart: `${fieldEnd}${row.linkPk}${fieldEnd}${row.workspacePk}${fieldEnd}${row.domainPk}${fieldEnd}`,
  };
}

/** Header lines of a redirect. Never kept by a cache, so that every visit is counted. */
export function redirectHead(url: string): string[] {
  return [
    "Location",
    asciiUrl(url),
    "Cache-Control",
    "private, no-store",
    "Referrer-Policy",
    "strict-origin-when-cross-origin",
    "Content-Length",
    "0",
  ];
}

/** A header carries ASCII only; what is ASCII already stays as its owner wrote it. */
function asciiUrl(url: string): string {
  return url.replace(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(text));
}
