/** Bans of links, destination hosts, workspaces and people, and appeals. Each is recorded. */
import { z } from "zod";
import { parseId } from "#lib/basics/ids";
import { targetEntry } from "#lib/links/link-cache";
import { markBanned } from "#lib/links/link-rows";
import { onHost, walkLinks } from "#lib/office/links";
import {
  type CacheChange,
  publishChanges,
  recordChanges,
  takeRevision,
} from "#lib/platform/cache-sync";
import { AppError } from "#lib/platform/errors";
import { type Connection, sql, transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { recordAudit } from "#lib/tenancy/audit";
import {
  type BanRecipient,
  banMailJobs,
  decideAppeal as decideRow,
  endNotices,
  listAppeals as listOpen,
  saveRecipients,
} from "#lib/tenancy/ban-recipients";
import {
  type BanChange,
  type BanRow,
  listBans as listAll,
  listEnding,
  listUnannounced,
  presentBan,
  startBan,
  stopBan,
} from "#lib/tenancy/bans";
import type { Appeal, Ban, BansQuery, DecideAppeal, NewBan } from "#lib/tenancy/bans/schema";
import { type OperatorScope, recordOperation } from "#lib/tenancy/operators";
import { type BanSubject, getSubject } from "./subjects.ts";

const sweepEveryMs = 2_000;
const endedAtOnce = 100;

/** Throws a 409 if it is already banned. */
export async function createBan(operator: OperatorScope, body: NewBan): Promise<Ban> {
  const { kind, reason, note } = body;
  const endsAt = readEnd(body.endsAt ?? null);
  const about = await getSubject(kind, body.subject);
  const { row, changes } = await transaction(async (tx) => {
    const started = await startBan(tx, {
      ...{ kind, reason, note, ends_at: endsAt, actor: operator.actor },
      ...{ subject: about.subject, name: about.name },
      ...{ workspacePk: about.workspacePk, userPk: about.userPk, linkPk: about.link?.pk ?? null },
    });
    if (!started) throw alreadyBanned(about);
    const marked = about.link ? await markLink(tx, started.row, true) : [];
    await announceNow(tx, started.row, about.link?.pk ?? null);
    await recordOperation(tx, operator, {
      workspacePk: about.workspacePk,
      action: "operator.ban",
      subject: about.subject,
      reason: note,
      details: { kind, name: about.name, because: reason, endsAt: endsAt?.toISOString() ?? null },
    });
    return { row: started.row, changes: [...started.changes, ...marked] };
  });
  await publishChanges(changes);
  return presentBan(row);
}

function readEnd(given: string | null): Date | null {
  const end = given === null ? null : new Date(given);
  if (end === null || end.getTime() > Date.now()) return end;
  throw new AppError("unprocessable_entity", "endsAt: Use a date and time in the future.", {
    problem: "ban_end_past",
  });
}

function alreadyBanned({ name }: BanSubject): AppError {
  const message = `${name} is already banned. Lift that ban first to change it.`;
  return new AppError("conflict", message, { problem: "ban_exists", params: { name } });
}

async function markLink(
  tx: Connection,
  { link_pk: pk, subject, reason }: BanRow,
  isBanned: boolean,
): Promise<CacheChange[]> {
  const id = parseId("link", subject);
  if (pk === null || id === undefined) return [];
  const revision = await takeRevision(tx);
  const row = await markBanned(tx, { pk, id }, isBanned ? reason : null, revision);
  if (!row) return [];
  const change = { entry: targetEntry(row.domain_pk, row.key), revision };
  await recordChanges(tx, [change]);
  return [change];
}

async function endInTransaction(
  tx: Connection,
  id: string,
  actor: string,
): Promise<BanChange | undefined> {
  const ended = await stopBan(tx, id, actor);
  if (!ended) return undefined;
  await endNotices(tx, ended.row.pk);
  const marked = ended.row.kind === "link" ? await markLink(tx, ended.row, false) : [];
  return { row: ended.row, changes: [...ended.changes, ...marked] };
}

/** Throws a 404 if it is not active. */
export async function liftBan(operator: OperatorScope, id: string, note: string): Promise<Ban> {
  const { row, changes } = await transaction(async (tx) => {
    const ended = await endInTransaction(tx, id, operator.actor);
    if (!ended) throw notActive();
    await recordLift(tx, operator, ended.row, note);
    return ended;
  });
  await publishChanges(changes);
  return presentBan(row);
}

async function recordLift(
  tx: Connection,
  operator: OperatorScope,
  { workspace_pk: workspacePk, subject, kind, name }: BanRow,
  reason: string,
): Promise<void> {
  const details = { kind, name };
  const operation = { workspacePk, action: "operator.lift_ban", subject, reason, details } as const;
  await recordOperation(tx, operator, operation);
}

function notActive(): AppError {
  return new AppError("not_found", "Ban not found, or already lifted.", { problem: "ban_gone" });
}

export async function listBans(_operator: OperatorScope, query: BansQuery): Promise<Ban[]> {
  return await listAll(query);
}

export async function listAppeals(_operator: OperatorScope): Promise<Appeal[]> {
  return await listOpen();
}

/** Accepting an appeal ends the ban. Throws a 404 if it was decided already. */
export async function decideAppeal(
  operator: OperatorScope,
  banId: string,
  { userId, accept, note }: DecideAppeal,
): Promise<void> {
  const changes = await transaction(async (tx) => {
    const decided = await decideRow(tx, { banId, userId, accept, actor: operator.actor });
    if (!decided) {
      throw new AppError("not_found", "Appeal not found, or already decided.", {
        problem: "appeal_gone",
      });
    }
    const ended = accept ? await endInTransaction(tx, banId, operator.actor) : undefined;
    if (ended) await recordLift(tx, operator, ended.row, note);
    await recordOperation(tx, operator, {
      workspacePk: ended?.row.workspace_pk ?? null,
      action: "operator.decide_appeal",
      subject: banId,
      reason: note,
      details: { userId, accept },
    });
    return ended?.changes ?? [];
  });
  await publishChanges(changes);
}

/** Ends bans at their end dates. Returns their number. */
export async function endDueBans(): Promise<number> {
  let ended = 0;
  for (const id of await listEnding(endedAtOnce)) {
    const change = await transaction(async (tx) => {
      const done = await endInTransaction(tx, id, "system");
      if (!done) return undefined;
      const { workspace_pk: workspacePk, subject, kind, name } = done.row;
      const details = { kind, name, reason: "The ban has reached its end date." };
      const action = "operator.lift_ban" as const;
      await recordAudit(tx, [{ workspacePk, actor: "system", action, subject, details }]);
      return done;
    });
    if (!change) continue;
    ended += 1;
    await publishChanges(change.changes);
  }
  return ended;
}

export const banJobs = [
  ...banMailJobs,
  defineJob({
    name: "bans.end",
    schema: z.object({}),
    handle: endDueBans,
    everyMs: sweepEveryMs,
    due: () => "EXISTS (SELECT FROM ban WHERE ends_at <= now() AND lifted_at IS NULL)",
  }),
  defineJob({
    name: "bans.announce",
    schema: z.object({}),
    handle: announceBans,
    everyMs: sweepEveryMs,
    due: () => "EXISTS (SELECT FROM ban WHERE announced_at IS NULL)",
  }),
];

const bansMax = 20;

/** Saves the people of a ban at once, except for a host, for which the job finds the people. */
async function announceNow(tx: Connection, ban: BanRow, linkPk: number | null): Promise<void> {
  if (ban.kind === "host") return;
  await saveRecipients(tx, ban.pk, await peopleOf(tx, ban, linkPk));
}

async function peopleOf(
  tx: Connection,
  { kind, workspace_pk: workspacePk, user_pk: userPk }: BanRow,
  linkPk: number | null,
): Promise<BanRecipient[]> {
  if (kind === "user") return userPk === null ? [] : [{ userPk, workspacePk: null, links: 0 }];
  // Answered by membership_pkey and link_pkey.
  return await tx.query<BanRecipient>(sql`
    SELECT user_pk AS "userPk", workspace_pk AS "workspacePk",
      CASE WHEN ${linkPk}::bigint IS NULL THEN 0 ELSE 1 END AS links
    FROM membership
    WHERE workspace_pk = ${workspacePk}
      AND (role = 'owner' OR user_pk = (SELECT user_pk FROM link WHERE pk = ${linkPk}::bigint))`);
}

/** Walks through all links in steps, once per ban of a host. Safe to run twice. */
export async function announceBans(): Promise<number> {
  const bans = await listUnannounced(bansMax);
  for (const ban of bans) {
    const links = ban.lifted_at ? new Map<number, number>() : await countLinks(ban.subject);
    await transaction(async (tx) => saveRecipients(tx, ban.pk, await ownersOf(tx, links)));
  }
  return bans.length;
}

async function ownersOf(
  tx: Connection,
  links: ReadonlyMap<number, number>,
): Promise<BanRecipient[]> {
  // Answered by membership_pkey.
  return await tx.query<BanRecipient>(sql`
    SELECT membership.user_pk AS "userPk", membership.workspace_pk AS "workspacePk", counted.links
    FROM unnest(${[...links.keys()]}::int[], ${[...links.values()]}::int[])
      AS counted (workspace_pk, links)
    JOIN membership
      ON membership.workspace_pk = counted.workspace_pk
      AND membership.role = 'owner'`);
}

async function countLinks(host: string): Promise<Map<number, number>> {
  const counted = new Map<number, number>();
  for await (const { links } of walkLinks(onHost(host))) {
    for (const { workspace_pk: pk } of links) counted.set(pk, (counted.get(pk) ?? 0) + 1);
  }
  return counted;
}
