/**
 * Notifies owners about their plan, and ends plans.
 *
 * plan ──14 days and 2 days before──▶ notification and email ──end──▶ Free, notification and email
 *
 * usage ──70 % and 90 %──▶ notification and email, once per quota, month and level
 *
 * A row of plan_warning says what was announced, and is written with the notifications, so every
 * step can run twice and concurrently. Creates make no query for this: a job reads the usage of all
 * limited workspaces.
 */
import { z } from "zod";
import { dayMs } from "#lib/basics/time/schema";
import { type CacheChange, publishChanges } from "#lib/platform/cache-sync";
import { config } from "#lib/platform/config";
import { planNames } from "#lib/platform/config/schema";
import { sendEmail } from "#lib/platform/mail";
import { type Connection, transaction } from "#lib/platform/postgres";
import { defineJob, enqueue } from "#lib/platform/queue";
import { addNotification, type NewNotification } from "#lib/tenancy/notifications";
import { applyPlan } from "#lib/tenancy/plan-changes";
import { limitOf, planNamed, planOf } from "#lib/tenancy/plans";
import { type QuotaName, quotaNames } from "#lib/tenancy/plans/schema";
import { listUsage, type UsedQuotas } from "#lib/tenancy/quotas";
import { addEvent } from "#lib/tenancy/webhook-events";
import { findOwner, insertWarning, listEnding, listOwners, lockEnded } from "./store.ts";

const reviewEveryMs = 60_000;
const usageEveryMs = 900_000;
/** A trial is too short for the first warning, so store.ts leaves it out. */
const lastDaysBefore = 2;
const daysBefore = [14, lastDaysBefore] as const;
const endsMax = 1_000;
const warningLevels = [90, 70] as const;

const mailJob = defineJob({
  name: "plans.mail",
  schema: z.object({
    workspacePk: z.int(),
    userPk: z.int(),
    name: z.enum(["planEnding", "planEnded", "quotaNear"]),
    values: z.object({
      plan: z.enum(planNames).optional(),
      days: z.int().optional(),
      percent: z.int().optional(),
      quota: z.enum(quotaNames).optional(),
      used: z.number().optional(),
      limit: z.number().optional(),
    }),
  }),
  handle: async ({ workspacePk, userPk, name, values }) => {
    const person = await findOwner(workspacePk, userPk);
    if (!person) return;
    const { email, locale, workspace, slug } = person;
    const address = `${config().FUXI_URL}/app/${slug}/settings/plan`;
    await sendEmail({ email, locale: locale ?? "en" }, name, { ...values, workspace, address });
  },
});

type Mail = z.input<typeof mailJob.schema>;

interface Announcement {
  workspacePk: number;
  id: string;
  kind: NewNotification["kind"];
  mail: Pick<Mail, "name" | "values">;
}

async function announce(tx: Connection, { workspacePk, id, kind, mail }: Announcement) {
  for (const { userPk } of await listOwners(tx, workspacePk)) {
    await addNotification(tx, { workspacePk, userPk, kind, details: mail.values });
    // Before the commit, because an email sent twice is better than none. The id prevents most duplicates.
    await enqueue(
      mailJob,
      { workspacePk, userPk, ...mail },
      { id: `${id}-${workspacePk}-${userPk}` },
    );
  }
}

export interface ReviewCounts {
  ended: number;
  announced: number;
}

export async function reviewPlans(now: Date): Promise<ReviewCounts> {
  const counts: ReviewCounts = { ended: 0, announced: 0 };
  while (counts.ended < endsMax && (await endOne(now))) counts.ended += 1;
  const until = new Date(now.getTime() + daysBefore[0] * dayMs);
  for (const row of await listEnding(now, until, lastDaysBefore)) {
    const { workspacePk, plan, endsAt } = row;
    const left = (endsAt.getTime() - now.getTime()) / dayMs;
    const due = daysBefore.filter((days) => left <= days);
    const announced = await transaction(async (tx) => {
      const isNew: boolean[] = [];
      const period = endsAt.toISOString();
      for (const level of due) {
        isNew.push(await insertWarning(tx, { workspacePk, subject: "end", period, level }));
      }
      // The last level is the nearest; the others would say the same.
      if (!isNew.at(-1)) return false;
      const days = Math.max(1, Math.ceil(left));
      await announce(tx, {
        workspacePk,
        id: `ending-${period.replaceAll(":", "")}-${due.at(-1)}`,
        kind: "plan.ending",
        mail: { name: "planEnding", values: { plan: planOf(plan), days } },
      });
      return true;
    });
    if (announced) counts.announced += 1;
  }
  return counts;
}

async function endOne(now: Date): Promise<boolean> {
  let changes: CacheChange[] = [];
  const found = await transaction(async (tx) => {
    const before = await lockEnded(tx, now);
    if (!before) return false;
    const free = { plan: "free", limits: null, source: "default", endsAt: null } as const;
    const note = { actor: "system", action: "plan.end", reason: null } as const;
    changes = await applyPlan(tx, before, free, note);
    await announce(tx, {
      workspacePk: before.workspacePk,
      id: `ended-${before.endsAt?.getTime()}`,
      kind: "plan.ended",
      mail: { name: "planEnded", values: { plan: planOf(before.plan) } },
    });
    return true;
  });
  await publishChanges(changes);
  return found;
}

/** Only these plans have usage to look at. */
const limitedPlans = planNames.filter((plan) =>
  quotaNames.some((name) => planNamed(plan).limits[name] !== null),
);

export async function warnOfUsage(now: Date): Promise<number> {
  let announced = 0;
  let afterPk = 0;
  while (true) {
    const rows = await listUsage(now, limitedPlans, afterPk);
    for (const row of rows) announced += await warnWorkspace(row);
    const last = rows.at(-1);
    if (!last) return announced;
    afterPk = last.workspacePk;
  }
}

async function warnWorkspace(row: UsedQuotas): Promise<number> {
  const near = quotaNames.flatMap((name) => nearLimit(row, name) ?? []);
  if (near.length === 0) return 0;
  return await transaction(async (tx) => {
    let announced = 0;
    for (const one of near) announced += (await warnOnce(tx, row, one)) ? 1 : 0;
    return announced;
  });
}

interface NearLimit {
  name: QuotaName;
  used: number;
  limit: number;
  levels: number[];
}

function nearLimit(row: UsedQuotas, name: QuotaName): NearLimit | undefined {
  const limit = limitOf({ plan: planOf(row.plan), limits: row.limits }, name);
  // With a limit of one member, the owner is that member.
  if (limit === null || limit <= 1) return undefined;
  const used = row[name];
  const levels = warningLevels.filter((level) => used * 100 >= level * limit);
  return levels.length === 0 ? undefined : { name, used, limit, levels };
}

async function warnOnce(tx: Connection, row: UsedQuotas, near: NearLimit): Promise<boolean> {
  const { workspacePk, month: period } = row;
  const { name, used, limit, levels } = near;
  const isNew: boolean[] = [];
  for (const level of levels) {
    isNew.push(await insertWarning(tx, { workspacePk, subject: name, period, level }));
  }
  // The first level is the highest; the others would say less.
  if (!isNew[0]) return false;
  const [percent = 0] = levels;
  const data = { quota: name, percent, used, limit };
  await addEvent(tx, { workspacePk, type: "quota.near", data });
  await announce(tx, {
    workspacePk,
    id: `usage-${period}-${name}-${percent}`,
    kind: "quota.near",
    mail: { name: "quotaNear", values: { percent, quota: name, used, limit } },
  });
  return true;
}

export const planJobs = [
  defineJob({
    name: "plans.review",
    schema: z.object({}),
    everyMs: reviewEveryMs,
    handle: () => reviewPlans(new Date()),
  }),
  defineJob({
    name: "quotas.warn",
    schema: z.object({}),
    everyMs: usageEveryMs,
    handle: () => warnOfUsage(new Date()),
  }),
  mailJob,
];
