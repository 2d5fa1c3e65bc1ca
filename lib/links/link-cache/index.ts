/**
 * The data of a link that a visit needs, and the names of its cache entries. In Redis it is one
 * line of text:
 *
 *     link US workspace US domain US status US starts US ends US state US url US expired url US extras US indexed
 *
 * US is 0x1f, which no URL contains. Times are in milliseconds (0: none), the state is one letter,
 * the extras are JSON (in which US is escaped) and mostly empty, indexed is 1 or 0. Shorter lines
 * of older versions are ignored.
 */
import { type AbuseReason, abuseReasonOf } from "#lib/basics/abuse/schema";
import type { RowOf, VisitColumn } from "#lib/links/link-columns/schema";
import type { GeoTargets, InsideApps, Rule, TestVariants } from "./schema.ts";

const fieldEnd = "\x1f";

/** `a` active, `d` disabled or retired, `b` banned */
type TargetState = "a" | "d" | "b";

export interface TargetRow {
  linkPk: number;
  workspacePk: number;
  domainPk: number;
  /** 0: the default status. */
  status: number;
  startsAt: number;
  endsAt: number;
  state: TargetState;
  url: string;
  expiredUrl: string;
  /** Undefined: every visitor is redirected to `url` unchanged. */
  extras: TargetExtras | undefined;
  indexed: boolean;
}

export interface TargetExtras {
  ban?: AbuseReason;
  password?: string;
  maxClicks?: number;
  rules?: Rule[];
  ios?: string;
  android?: string;
  geo?: GeoTargets;
  test?: { variants: TestVariants; startsAt: number; endsAt: number };
  /** Omitted: the setting of the workspace applies. */
  forwardQuery?: boolean;
  forwardPath?: true;
  card?: SocialCard;
  frame?: CloakingFrame;
  form?: string;
  tracked?: true;
  insideApps?: InsideApps;
}

export interface SocialCard {
  title?: string;
  description?: string;
  image?: string;
  video?: string;
}

export interface CloakingFrame {
  title: string;
}

export type TargetColumns = RowOf<
  VisitColumn,
  { geo: GeoTargets; rules: Rule[]; inside_apps: InsideApps; test_variants: TestVariants }
>;

export function targetEntry(domainPk: number, key: string): string {
  return `l:${domainPk}:${key}`;
}

export function parseTargetEntry(entry: string): { domainPk: number; key: string } {
  const end = entry.indexOf(":", 2);
  return { domainPk: Number(entry.slice(2, end)), key: entry.slice(end + 1) };
}

export function foldKey(key: string): string {
  return key.toLowerCase().normalize("NFC");
}

export function brandingEntry(workspacePk: number): string {
  return `w:${workspacePk}`;
}

export function workspaceOfBranding(entry: string): number {
  return Number(entry.slice(2));
}

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
    extras: extrasOf(row),
    indexed: row.do_index,
  };
}

function extrasOf(row: TargetColumns): TargetExtras | undefined {
  const extras: TargetExtras = {};
  if (row.password_hash !== null) extras.password = row.password_hash;
  if (row.max_clicks !== null) extras.maxClicks = row.max_clicks;
  if (row.rules) extras.rules = row.rules;
  if (row.ios) extras.ios = row.ios;
  if (row.android) extras.android = row.android;
  if (row.geo) extras.geo = row.geo;
  if (row.test_variants) {
    extras.test = {
      variants: row.test_variants,
      startsAt: row.test_started_at?.getTime() ?? 0,
      endsAt: row.test_completed_at?.getTime() ?? 0,
    };
  }
  addForwarding(extras, row);
  addPages(extras, row);
  return Object.keys(extras).length > 0 ? extras : undefined;
}

function addForwarding(extras: TargetExtras, row: TargetColumns): void {
  if (row.forward_query !== null) extras.forwardQuery = row.forward_query;
  if (row.forward_path) extras.forwardPath = true;
  if (row.track_conversion) extras.tracked = true;
}

function addPages(extras: TargetExtras, row: TargetColumns): void {
  if (row.banned_at) extras.ban = abuseReasonOf(row.ban_reason);
  const card = row.proxy ? cardOf(row) : undefined;
  if (card) extras.card = card;
  if (row.inside_apps) extras.insideApps = row.inside_apps;
  if (row.form_id !== null) extras.form = row.form_id;
  if (row.rewrite) extras.frame = { title: row.title ?? "" };
}

/** Without custom texts, the destination’s own preview is better than an empty one. */
function cardOf({ title, description, image, video }: TargetColumns): SocialCard | undefined {
  const card: SocialCard = {};
  if (title) card.title = title;
  if (description) card.description = description;
  if (image) card.image = image;
  if (video) card.video = video;
  return Object.keys(card).length > 0 ? card : undefined;
}

function stateOf(row: TargetColumns): TargetState {
  if (row.banned_at) return "b";
  // Visitors see no difference, and processes of older versions know this letter too.
  return row.disabled_at || row.retired_at ? "d" : "a";
}

export function encodeTarget(row: TargetRow): string {
  const { linkPk, workspacePk, domainPk, status, startsAt, endsAt, state, url, expiredUrl } = row;
  const extras = row.extras ? JSON.stringify(row.extras) : "";
  return [
    linkPk,
    workspacePk,
    domainPk,
    status,
    startsAt,
    endsAt,
    state,
    url,
    expiredUrl,
    extras,
    row.indexed ? "1" : "0",
  ].join(fieldEnd);
}

/** Undefined for a line of an older version: PostgreSQL has the missing fields. */
export function decodeTarget(payload: string): TargetRow | undefined {
  const fields = payload.split(fieldEnd);
  const [linkPk, workspacePk, domainPk, status, startsAt, endsAt, state] = fields;
  const [url, expiredUrl, extras, indexed] = fields.slice(7);
  if (indexed === undefined) return undefined;
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
    extras: extras ? parseExtras(extras) : undefined,
    indexed: indexed === "1",
  };
}

/** Sound because only `encodeTarget` writes these lines. */
function parseExtras(text: string): TargetExtras {
  return JSON.parse(text) as TargetExtras;
}
