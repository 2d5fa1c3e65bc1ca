/**
 * Retirement of links that nobody visits anymore, and the end of their quarantine.
 *
 *     link ──date──▶ dated ──30 days before──▶ announced ──date──▶ retired (410) ──180 days──▶ deleted (404)
 *       ▲              │ visited: later            │ kept: never         │ edited: back
 *       └──────────────┴───────────────────────────┴─────────────────────┘
 *
 * Each workspace has one round an hour (retiring.ts), and one within a minute when the own date of
 * a link has come, leased by one worker at a time. Every step can run twice, even at the same time.
 */
import { z } from "zod";
import { dayMs } from "#lib/basics/time/schema";
import { sweepRecycledCodes } from "#lib/links/keys";
import { keepRows } from "#lib/links/link-rows";
import { config } from "#lib/platform/config";
import { transaction } from "#lib/platform/postgres";
import { defineJob, enqueue } from "#lib/platform/queue";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import { rulesOf } from "#lib/tenancy/plans";
import {
  findDefault,
  findRetirement,
  newDefault,
  type RetirementDefault,
  type RetirementView,
} from "./reading.ts";
import {
  dateLinks,
  deleteRetired,
  type RoundContext,
  type RoundOptions,
  recheckDates,
  recheckWarned,
  retireDue,
  warnedAt,
} from "./retiring.ts";
import { addRounds, endRound, hastenRounds, type Round, rulesText, takeRound } from "./store.ts";
import { warn, warnJob } from "./warning.ts";

export type { RetirementDefault, RetirementView } from "./reading.ts";

const roundEveryMs = 3_600_000;
const jobEveryMs = 60_000;
const leaseMs = 1_800_000;
const roundsMax = 10_000;
/** A round pauses for 100 times as long as it works, because visits share the database. */
const options: RoundOptions = { batch: 50, pauseShare: 100 };

export interface RoundCounts {
  rounds: number;
  dated: number;
  warned: number;
  retired: number;
  deleted: number;
}

export async function runRounds(
  now: Date,
  given: Partial<RoundOptions> = {},
): Promise<RoundCounts> {
  const counts: RoundCounts = { rounds: 0, dated: 0, warned: 0, retired: 0, deleted: 0 };
  await addRounds(now);
  await hastenRounds(now);
  while (counts.rounds < roundsMax) {
    const leasedUntil = new Date(now.getTime() + leaseMs);
    const round = await takeRound(now, leasedUntil);
    if (!round) break;
    const rules = rulesOf(round);
    const { workspacePk } = round;
    const context = { ...options, ...given, workspacePk, rules, now, leasedUntil };
    await runRound(context, round, counts);
    counts.rounds += 1;
  }
  return counts;
}

async function runRound(context: RoundContext, round: Round, counts: RoundCounts): Promise<void> {
  const { workspacePk, rules, now } = context;
  const isDaily = round.checkedAt === null || round.checkedAt.getTime() <= now.getTime() - dayMs;
  const text = rulesText(rules);
  if (isDaily || text !== round.rules) {
    const isNew = text !== round.rules;
    counts.dated += await dateLinks(context, isNew ? null : round.afterId);
    counts.dated += isNew
      ? await recheckDates(context)
      : await recheckWarned(context, warnedAt(now));
  }
  if (isDaily) counts.warned += await warn(workspacePk, now, warnedAt(now));
  counts.retired += await retireDue(context);
  counts.deleted += await deleteRetired(context, config().FUXI_REUSE_CODES === "on");
  await endRound({
    workspacePk,
    rules: text,
    checkedAt: isDaily ? now : round.checkedAt,
    nextAt: new Date(now.getTime() + roundEveryMs),
  });
}

/** A request keeps at most this many links. A job keeps the others. */
const keptAtOnce = 5_000;
const keptPerBatch = 250;

const keepJob = defineJob({
  name: "retirement.keep",
  schema: z.object({ workspacePk: z.int(), actor: z.string(), until: z.iso.datetime() }),
  handle: async ({ workspacePk, actor, until }) => {
    while (await keepBatch(workspacePk, actor, new Date(until)));
  },
});

/** Keeps all links in the warning period. `more`: a job keeps the rest. */
export async function keepRetiring(
  scope: WorkspaceScope,
  now = new Date(),
): Promise<{ kept: number; more: boolean }> {
  // defence: keep-all-links-needs-admin
  assertMay(scope, "workspace.write");
  const { workspacePk, actor } = scope;
  const until = warnedAt(now);
  let kept = 0;
  while (kept < keptAtOnce) {
    const part = await keepBatch(workspacePk, actor, until);
    kept += part;
    if (part < keptPerBatch) return { kept, more: false };
  }
  await enqueue(keepJob, { workspacePk, actor, until: until.toISOString() });
  return { kept, more: true };
}

async function keepBatch(workspacePk: number, actor: string, until: Date): Promise<number> {
  return await transaction(async (tx) => {
    const links = await keepRows(tx, workspacePk, until, keptPerBatch);
    if (links > 0) {
      await recordAudit(tx, [{ workspacePk, actor, action: "link.keep", details: { links } }]);
    }
    return links;
  });
}

export async function readRetirement(
  scope: WorkspaceScope,
  linkId: string,
): Promise<RetirementView | undefined> {
  assertMay(scope, "links.read");
  return await findRetirement(scope, linkId);
}

/** Null asks about a new link of this person. Undefined: the link does not exist. */
export async function readRetirementDefault(
  scope: WorkspaceScope,
  linkId: string | null,
  now = new Date(),
): Promise<RetirementDefault | undefined> {
  assertMay(scope, "links.read");
  return linkId === null ? newDefault(scope, now) : await findDefault(scope, linkId, now);
}

export const retirementJobs = [
  defineJob({
    name: "retirement.round",
    schema: z.object({}),
    everyMs: jobEveryMs,
    handle: () => runRounds(new Date()),
  }),
  defineJob({
    name: "codes.sweep",
    schema: z.object({}),
    everyMs: roundEveryMs,
    handle: () => sweepRecycledCodes(new Date()),
  }),
  warnJob,
  keepJob,
];
