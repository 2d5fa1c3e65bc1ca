/**
 * Clicks that no redirect sees. A phone that opens a short link in an app contacts no server, so the server of the app reports
 * the click. A site whose own URL names a link (`?via=…`) reports it from the browser.
 *
 * A click goes through the stream as a group of its own, so it counts once however often it is delivered. Repeated calls are one
 * click, because its id is stored before the group is sent: opens with an Idempotency-Key for a day, clicks of a visitor on a
 * link for an hour.
 */
import { createHash, createHmac, randomUUID } from "node:crypto";
import { openTrackedDomain, openTrackingKey } from "#lib/analytics/tracking-keys";
import { presentId } from "#lib/basics/ids";
import { isWebUrl } from "#lib/basics/urls/schema";
import { findPksByName } from "#lib/links/reading";
import { type VisibleLinks, visibleConditions, visibleLinks } from "#lib/links/visible-links";
import { AppError } from "#lib/platform/errors";
import { addressSubject, tryLimit } from "#lib/platform/limits";
import { query, SqlValues } from "#lib/platform/postgres";
import { redis, redisKeys } from "#lib/platform/redis";
import { dayOf, loadDaySecret } from "#lib/platform/visitor-salts";
import {
  eventEnd,
  fieldEnd,
  flag,
  formatVersion,
  idMarks,
  sealAddresses,
} from "#lib/redirect/clicks";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { everything } from "#lib/tenancy/reach";
import type { TrackClick, TrackedClick, TrackedOpen, TrackOpen } from "./schema.ts";

const openRepeatSeconds = 86_400;
const clickRepeatSeconds = 3_600;
const scanMark = /(?:^|&)qr=1(?:&|$)/;

export async function trackOpen(
  scope: WorkspaceScope,
  body: TrackOpen,
  repeatKey: string | undefined,
): Promise<TrackedOpen> {
  assertMay(scope, "conversions.write");
  const { domain, key, search } = parseShortLink(body.deepLink);
  const link = await findLink(scope, domain, key);
  if (!link) {
    throw new AppError("not_found", `deepLink: This workspace has no link "${domain}/${key}".`);
  }
  const { workspacePk } = scope;
  const digest = repeatKey && createHash("sha256").update(repeatKey).digest("hex");
  const click = await nameClick(workspacePk, digest, openRepeatSeconds);
  const { ip, userAgent, language } = body;
  const flags = `${scanMark.test(search) ? flag.scan : ""}${flag.open}`;
  await send({ ...click, link, workspacePk, flags, search, address: ip, userAgent, language });
  const { id, url } = link;
  return { clickId: idOf(click), link: { id: presentId("link", id), domain, key: link.key, url } };
}

/** What the browser of a visitor sends. */
export interface SiteVisit {
  /** The public key, without which the domain says whose site it is. */
  key: string | undefined;
  origin: string | undefined;
  address: string;
  userAgent: string | undefined;
  language: string | undefined;
}

export async function trackClick(visit: SiteVisit, body: TrackClick): Promise<TrackedClick> {
  const attempt = await tryLimit("publicTrackPerAddress", addressSubject(visit.address));
  if (!attempt.ok) {
    const message = "Too many requests from your IP address. Wait, then try again.";
    throw new AppError("rate_limit_exceeded", message, attempt);
  }
  const { key, origin } = visit;
  const { workspacePk } = await (key === undefined
    ? openTrackedDomain(body.domain, origin)
    : openTrackingKey(key, origin));
  const pks = await findPksByName({ workspacePk, reach: everything }, body.domain, body.key);
  const link = await findVisible(workspacePk, pks, everyLink);
  if (!link) throw new AppError("not_found", `key: There is no link "${body.domain}/${body.key}".`);
  const { address, userAgent, language } = visit;
  const click = await nameClick(workspacePk, await visitDigest(visit, link), clickRepeatSeconds);
  const url = body.url && isWebUrl(body.url) ? body.url : undefined;
  const { referrer } = body;
  await send({ ...click, link, workspacePk, address, userAgent, language, referrer, url });
  return { clickId: idOf(click) };
}

const everyLink: VisibleLinks = { hiddenFolderPks: [], domainPks: null, folderPks: null };

/** Names a visitor and a link for an hour. The key of the day is erased later, so nobody can find the address. */
async function visitDigest(
  { address, userAgent = "" }: SiteVisit,
  { pk }: OpenedLink,
): Promise<string | undefined> {
  const secret = await loadDaySecret(dayOf(Date.now()));
  if (!secret) return undefined;
  return createHmac("sha256", secret.key).update([pk, address, userAgent].join("\n")).digest("hex");
}

function idOf({ at, id }: ClickName): string {
  return `${at}-${id}`;
}

const advice = "deepLink: Use a full short link, such as https://go.example.com/spring.";

interface ShortLink {
  domain: string;
  key: string;
  search: string;
}

function parseShortLink(text: string): ShortLink {
  try {
    const url = new URL(/^https?:\/\//i.test(text) ? text : `https://${text}`);
    const key = decodeURIComponent(url.pathname.replace(/^\/+|\/+$/g, ""));
    return { domain: url.hostname, key, search: url.search.slice(1) };
  } catch {
    throw new AppError("unprocessable_entity", advice);
  }
}

interface OpenedLink {
  pk: number;
  id: string;
  domain_pk: number;
  key: string;
  url: string;
}

async function findLink(
  scope: WorkspaceScope,
  domain: string,
  key: string,
): Promise<OpenedLink | undefined> {
  const pks = await findPksByName(scope, domain, key);
  return await findVisible(scope.workspacePk, pks, await visibleLinks(scope));
}

async function findVisible(
  workspacePk: number,
  pks: readonly number[],
  seen: VisibleLinks,
): Promise<OpenedLink | undefined> {
  const { list: values, place } = new SqlValues();
  const where = [
    `link.pk = ANY(${place(pks, "bigint[]")})`,
    `link.workspace_pk = ${place(workspacePk, "int")}`,
    ...visibleConditions(seen, place),
  ];
  // Answered by link_pkey.
  const text = `
    SELECT link.pk, link.id, link.domain_pk, link.key, link.url
    FROM link
    WHERE ${where.join("\n      AND ")}
    LIMIT 1`;
  return await query.one<OpenedLink>({ text, values });
}

interface ClickName {
  at: number;
  id: string;
}

/** A new click, or the one that an earlier call with this digest recorded. */
async function nameClick(
  workspacePk: number,
  digest: string | undefined,
  repeatSeconds: number,
): Promise<ClickName> {
  const fresh = { at: Date.now(), id: randomUUID() };
  if (!digest) return fresh;
  const name = redisKeys.open(workspacePk, digest);
  const known = await redis("clicks").set(name, idOf(fresh), "EX", repeatSeconds, "NX", "GET");
  if (!known) return fresh;
  const end = known.indexOf("-");
  return { at: Number(known.slice(0, end)), id: known.slice(end + 1) };
}

type Text = string | null | undefined;

interface ReportedClick extends ClickName {
  link: OpenedLink;
  workspacePk: number;
  flags?: string;
  address: Text;
  userAgent: Text;
  referrer?: Text;
  language: Text;
  search?: string;
  url?: string | undefined;
}

/** Throws if Redis does not confirm the click, so that the caller tries again. */
async function send({ at, id, link, workspacePk, flags = "", ...visit }: ReportedClick) {
  const day = dayOf(at);
  const secret = await loadDaySecret(day);
  const sealed = secret ? sealAddresses(visit.address ?? "", secret.key) : Buffer.alloc(0);
  const { userAgent, referrer, language, search, url } = visit;
  const fields = [
    ...[at, link.pk, workspacePk, link.domain_pk, `${flags}${idMarks.click}${id}`],
    ...[userAgent, referrer, language, search, url].map(fieldText),
  ];
  const event = Buffer.from(fields.join(fieldEnd) + eventEnd, "latin1");
  const group = ["v", formatVersion, "g", `${id}:1`, "d", day, "a", sealed, "e", event];
  await redis("clicks").xadd(redisKeys.clickStream(0), "*", ...group);
}

/** One character per byte, as in headers, without the separators of events. */
function fieldText(text: Text): string {
  const bare = (text ?? "").replaceAll(/\p{Cc}/gu, "");
  return Buffer.from(bare, "utf8").toString("latin1");
}
