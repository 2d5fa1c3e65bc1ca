/**
 * Links that visitors create without an account, on a host of their own and in a workspace without
 * members. They expire after `publicLinkDays`.
 *
 * The browser that created links keeps a secret, of which the server has the hash. With it, a person
 * who has signed up claims the links: they move to the person’s workspace and keep their short URL.
 */
import { hash, randomBytes } from "node:crypto";
import { parseId, presentId } from "#lib/basics/ids";
import { dayMs } from "#lib/basics/time/schema";
import { createLinks, type LinkOutcome } from "#lib/links/creating";
import { createLinkBody } from "#lib/links/fields/schema";
import { targetEntry } from "#lib/links/link-cache";
import { moveToWorkspace } from "#lib/links/link-rows";
import { type FoundLink, findRows, recordLinkEvents } from "#lib/links/presenting";
import {
  type CacheChange,
  publishChanges,
  recordChanges,
  takeRevision,
} from "#lib/platform/cache-sync";
import { config } from "#lib/platform/config";
import { addressSubject, takeAmount, tryLimits } from "#lib/platform/limits";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import { isFeatureOn } from "#lib/tenancy/features";
import { takeQuota } from "#lib/tenancy/quotas";
import { openOwnWorkspace } from "#lib/tenancy/workspaces";
import { publicLinkDays } from "./schema.ts";
import { acceptWork, challengeOf } from "./work.ts";

const secretBytes = 32;
const secretPattern = /^[\w-]{43}$/;
/** One claim moves this many links; the next one moves the rest. */
const claimedMax = 1_000;

export async function isShortenerOn(): Promise<boolean> {
  return config().FUXI_PUBLIC_SHORTENER !== undefined && (await isFeatureOn("publicLinks"));
}

/** What the browser has to work on before `makePublicLink` accepts this URL from this address. */
export function newChallenge(url: string, address: string): string {
  return challengeOf({ url, network: addressSubject(address) });
}

export function newMakerSecret(): string {
  return randomBytes(secretBytes).toString("base64url");
}

/** `secret` is that of the browser, by which it claims the link later. */
interface NewPublicLink {
  url: string;
  address: string;
  work: string;
  secret: string;
}

type MakeOutcome =
  | LinkOutcome
  | { ok: false; code: "off" }
  | { ok: false; code: "work_refused" }
  | { ok: false; code: "too_many" };

export async function makePublicLink(asked: NewPublicLink): Promise<MakeOutcome> {
  const { url, address, work, secret } = asked;
  const scope = (await isShortenerOn()) ? await openSource() : undefined;
  // A ban of the workspace ends it too.
  if (!scope || scope.banned) return { ok: false, code: "off" };
  const network = addressSubject(address);
  if (!(await acceptWork(work, { url, network }))) return { ok: false, code: "work_refused" };
  // defence: public-links-limited
  if (await isLimited(address)) return { ok: false, code: "too_many" };
  const body = createLinkBody.parse({
    url,
    domain: config().FUXI_PUBLIC_SHORTENER,
    expiresAt: new Date(Date.now() + publicLinkDays * dayMs).toISOString(),
  });
  const [outcome] = await createLinks(scope, [body], { source: "dashboard", prefill: true });
  if (!outcome) throw new Error("Creating a link returned no outcome");
  if (!outcome.ok) return outcome;
  await query(sql`
    INSERT INTO public_link (link_id, maker_hash)
    VALUES (${parseId("link", outcome.link.id)}, ${hashOf(secret)})`);
  return outcome;
}

async function isLimited(address: string): Promise<boolean> {
  const network = addressSubject(address);
  const attempt = await tryLimits([
    ["publicLinkPerAddress", network],
    ["dailyPublicLinkPerAddress", network],
  ]);
  if (!attempt.ok) return true;
  return (await takeAmount("publicLinksPerInstance", "all", 1)) > 0;
}

async function openSource(): Promise<WorkspaceScope | undefined> {
  const own = await openOwnWorkspace({
    name: "Public links",
    // People can’t choose a slug with an underscore.
    slug: "public_links",
    plan: "enterprise",
    // After they expire, so that rows and slugs become free.
    retireDays: 2 * publicLinkDays,
  });
  return own?.scope;
}

function hashOf(secret: string): Buffer {
  return hash("sha256", secret, "buffer");
}

/** How many links this browser created that a workspace can still get. */
export async function countClaimable(secret: string | undefined): Promise<number> {
  const ids = secret && secretPattern.test(secret) ? await listMade(secret) : [];
  if (ids.length === 0) return 0;
  const source = await openSource();
  return source ? claimableOf(await findRows(source.workspacePk, ids)).length : 0;
}

async function listMade(secret: string): Promise<string[]> {
  // Answered by public_link_maker.
  const rows = await query<{ id: string }>(sql`
    SELECT link_id AS id
    FROM public_link
    WHERE maker_hash = ${hashOf(secret)}
    ORDER BY link_id
    LIMIT ${claimedMax}`);
  return rows.map(({ id }) => id);
}

/** Banned links stay where administrators found them. */
function claimableOf(rows: readonly FoundLink[]): FoundLink[] {
  // defence: banned-public-link-not-claimed
  const open = rows.filter(({ banned_at, retired_at }) => banned_at === null && !retired_at);
  return open.filter(({ expires_at }) => expires_at !== null && expires_at.getTime() > Date.now());
}

type ClaimOutcome = { ok: true; count: number } | { ok: false; code: "quota_used_up" };

/** Moves the links of this browser to the workspace. A second call, also at the same time, finds none. */
export async function claimPublicLinks(
  scope: WorkspaceScope,
  secret: string,
): Promise<ClaimOutcome> {
  assertMay(scope, "links.write");
  const source = secretPattern.test(secret) ? await openSource() : undefined;
  if (!source) return { ok: true, count: 0 };
  const { outcome, changes } = await transaction(async (tx) => {
    const ids = await lockMade(tx, secret);
    const rows = claimableOf(await findRows(source.workspacePk, ids, tx));
    const quota = await takeQuota(tx, scope, "links", rows.length);
    if (!quota.ok) return { outcome: { ok: false, code: "quota_used_up" } as const, changes: [] };
    // Answered by public_link_pkey.
    await tx.query(sql`DELETE FROM public_link WHERE link_id = ANY(${ids}::uuid[])`);
    const changes = rows.length > 0 ? await move(tx, scope, source, rows) : [];
    return { outcome: { ok: true, count: rows.length } as const, changes };
  });
  await publishChanges(changes);
  return outcome;
}

/** A concurrent claim waits here, and then finds no rows. */
async function lockMade(tx: Connection, secret: string): Promise<string[]> {
  // Answered by public_link_maker.
  // defence: public-link-needs-its-secret
  const rows = await tx.query<{ id: string }>(sql`
    SELECT link_id AS id
    FROM public_link
    WHERE maker_hash = ${hashOf(secret)}
    ORDER BY link_id
    LIMIT ${claimedMax}
    FOR UPDATE`);
  return rows.map(({ id }) => id);
}

/** The links keep their names, on the public host, and their expiration, which their new owner can change. */
async function move(
  tx: Connection,
  scope: WorkspaceScope,
  source: WorkspaceScope,
  rows: readonly FoundLink[],
): Promise<CacheChange[]> {
  const { workspacePk: to, userPk, actor } = scope;
  const [first] = rows;
  if (userPk === null || !first) throw new Error("Only people claim links");
  const pks = rows.map(({ pk }) => pk);
  const revision = await takeRevision(tx);
  const from = source.workspacePk;
  await moveToWorkspace(tx, pks, { domainPk: first.domain_pk, from, to, userPk, revision });
  await recordLinkEvents(tx, to, "link.created", pks);
  const subjects = rows.map(({ id }) => presentId("link", id));
  const action = "link.transfer";
  const entries = subjects.map((subject) => ({ workspacePk: to, actor, action, subject }) as const);
  await recordAudit(tx, entries);
  const changes = rows.map((row) => ({ entry: targetEntry(row.domain_pk, row.key), revision }));
  await recordChanges(tx, changes);
  return changes;
}
