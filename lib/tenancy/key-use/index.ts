/**
 * Uses are counted in memory, because a write per call would cost more. A killed process loses its
 * last counts. A flush also writes one audit entry per key with the links it created.
 */
import { slicesOf } from "#lib/platform/batches";
import { log } from "#lib/platform/log";
import { transaction } from "#lib/platform/postgres";
import { onClose } from "#lib/platform/processes";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import type { KeyUse, KeyUseQuery } from "./schema.ts";
import {
  addApps,
  addHours,
  findKeyPk,
  findLastCall,
  listApps,
  listDays,
  lockKeys,
} from "./store.ts";
import { Tally } from "./tally.ts";

const flushEveryMs = 10_000;
const keysPerWriteMax = 1_000;

let pending = new Tally();
let timer: NodeJS.Timeout | undefined;
let flushing: Promise<void> | undefined;
let opened = false;

export interface KeyCall {
  address: string;
  app: { name: string; version: string } | undefined;
  refused: boolean;
}

export function countKeyCall(scope: WorkspaceScope, call: KeyCall, now = Date.now()): void {
  const pk = scope.apiKeyPk;
  if (pk === null) return;
  pending.addCall(pk, now, call.address, call.refused);
  if (call.app) pending.addApp({ pk, ...call.app, calls: 1, lastAt: now });
  scheduleFlush();
}

/** The next flush records them in the audit log. Ignores people. */
export function countKeyLinks(scope: WorkspaceScope, links: number, now = Date.now()): void {
  const { apiKeyPk: pk, workspacePk, actor } = scope;
  if (pk === null || links === 0) return;
  pending.addCreated({ pk, workspacePk, actor, links }, now);
  scheduleFlush();
}

function scheduleFlush(): void {
  timer ??= setTimeout(() => void flushKeyUse(), flushEveryMs).unref();
  if (opened) return;
  opened = true;
  onClose("key uses", flushKeyUse);
}

/** After an error, the counts are written with the next flush. */
export async function flushKeyUse(): Promise<void> {
  await flushing;
  clearTimeout(timer);
  timer = undefined;
  if (pending.isEmpty) return;
  const taken = pending;
  pending = new Tally();
  flushing = write(taken).catch((error: unknown) => {
    log.warn({ event: "key_uses.not_written", error: String(error) });
    pending.merge(taken);
    scheduleFlush();
  });
  await flushing;
}

async function write(taken: Tally): Promise<void> {
  const hours = taken.hours();
  await transaction(async (tx) => {
    const kept = await lockKeys(tx, [...new Set(hours.map(({ pk }) => pk))]);
    const present = <T extends { pk: number }>(all: readonly T[]) =>
      all.filter(({ pk }) => kept.has(pk));
    for (const slice of slicesOf(present(hours), keysPerWriteMax)) await addHours(tx, slice);
    for (const slice of slicesOf(present(taken.apps()), keysPerWriteMax)) await addApps(tx, slice);
    const entries = present(taken.created()).map(({ workspacePk, actor, links }) => ({
      workspacePk,
      actor,
      action: "link.create" as const,
      details: { links },
      origin: undefined,
    }));
    await recordAudit(tx, entries);
  });
}

export async function findKeyUse(
  scope: WorkspaceScope,
  id: string,
  { days }: KeyUseQuery,
  now = new Date(),
): Promise<KeyUse | undefined> {
  assertMay(scope, "keys.read");
  const pk = await findKeyPk(scope.workspacePk, id);
  if (pk === undefined) return undefined;
  const [list, last, apps] = await Promise.all([
    listDays(pk, scope.zone, days, now),
    findLastCall(pk),
    listApps(pk),
  ]);
  const sum = (name: "calls" | "links" | "refusals") =>
    list.reduce((total, day) => total + day[name], 0);
  return {
    calls: sum("calls"),
    links: sum("links"),
    refusals: sum("refusals"),
    days: list,
    lastCallAt: last?.at.toISOString() ?? null,
    lastAddress: last?.address ?? null,
    apps: apps.map(({ name, version, calls, lastAt }) => ({
      name,
      version: version || null,
      calls,
      lastCallAt: lastAt.toISOString(),
    })),
  };
}
