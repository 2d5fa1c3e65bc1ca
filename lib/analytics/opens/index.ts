/**
 * Clicks that open an app: a phone that opens a short link in an app contacts no server, so the server of the app reports the
 * click. It goes through the stream as a group of its own, so it counts once however often it is delivered. With an
 * Idempotency-Key, repeated calls are one click: its id is stored before the group is sent.
 */
import { createHash, randomUUID } from "node:crypto";
import { presentId } from "#lib/basics/ids";
import { findPksByName } from "#lib/links/reading";
import { type VisibleLinks, visibleConditions, visibleLinks } from "#lib/links/visible-links";
import { AppError } from "#lib/platform/errors";
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
import type { TrackedOpen, TrackOpen } from "./schema.ts";

/** Calls with the same key are one click for this long. */
const repeatSeconds = 86_400;
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
  const click = await nameClick(scope, repeatKey);
  await send({ ...click, link, search, workspacePk: scope.workspacePk, body });
  const { id, url } = link;
  return {
    clickId: `${click.at}-${click.id}`,
    link: { id: presentId("link", id), domain, key: link.key, url },
  };
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

/** A new click, or the one that an earlier call with this key recorded. */
async function nameClick(
  { workspacePk }: WorkspaceScope,
  repeatKey: string | undefined,
): Promise<ClickName> {
  const fresh = { at: Date.now(), id: randomUUID() };
  if (repeatKey === undefined) return fresh;
  const digest = createHash("sha256").update(repeatKey).digest("hex");
  const name = redisKeys.open(workspacePk, digest);
  const text = `${fresh.at}-${fresh.id}`;
  const known = await redis("clicks").set(name, text, "EX", repeatSeconds, "NX", "GET");
  if (!known) return fresh;
  const end = known.indexOf("-");
  return { at: Number(known.slice(0, end)), id: known.slice(end + 1) };
}

interface OpenedClick extends ClickName {
  link: OpenedLink;
  workspacePk: number;
  search: string;
  body: TrackOpen;
}

/** Throws if Redis does not confirm the click, so that the caller tries again. */
async function send({ at, id, link, workspacePk, search, body }: OpenedClick): Promise<void> {
  const day = dayOf(at);
  const secret = await loadDaySecret(day);
  const sealed = secret ? sealAddresses(body.ip ?? "", secret.key) : Buffer.alloc(0);
  const flags = `${scanMark.test(search) ? flag.scan : ""}${flag.open}${idMarks.click}${id}`;
  const fields = [
    ...[at, link.pk, workspacePk, link.domain_pk, flags],
    ...[fieldText(body.userAgent), "", fieldText(body.language), fieldText(search), ""],
  ];
  const event = Buffer.from(fields.join(fieldEnd) + eventEnd, "latin1");
  const group = ["v", formatVersion, "g", `${id}:1`, "d", day, "a", sealed, "e", event];
  await redis("clicks").xadd(redisKeys.clickStream(0), "*", ...group);
}

/** One character per byte, as in headers, without the separators of events. */
function fieldText(text: string | null | undefined): string {
  const bare = (text ?? "").replaceAll(/\p{Cc}/gu, "");
  return Buffer.from(bare, "utf8").toString("latin1");
}
