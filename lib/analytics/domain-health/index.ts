/**
 * The health of custom domains: whether they resolve and answer, their certificates, and whether
 * apps seem to block them. Nobody informs the owner of a domain when WeChat stops opening it;
 * visits in the app just end. checking.ts runs on a schedule, judging.ts compares visits with the
 * statistic of share-test.ts, and alarms.ts has the states of an alarm.
 */

import { dayMs } from "#lib/basics/time/schema";
import { getDomain, getVerification } from "#lib/links/domains";
import type { Verification } from "#lib/links/domains/schema";
import { parseHost } from "#lib/links/hosts";
import { AppError } from "#lib/platform/errors";
import { transaction } from "#lib/platform/postgres";
import type { AppName } from "#lib/platform/request-info/schema";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import { reachesDomain } from "#lib/tenancy/reach";
import { dismiss, listAlarms, type OpenAlarm } from "./alarms.ts";
import { checkHealthJob } from "./health-job.ts";
import { alarmFacts, answersWith, type DomainAlarm, type DomainHealth } from "./schema.ts";
import { findDomain, findHealth, type HealthRow } from "./store.ts";

export { checkHealth } from "./health-job.ts";

export const domainHealthJobs = [checkHealthJob];

const expiringMs = 7 * dayMs;

export async function getDomainHealth(
  scope: WorkspaceScope,
  slug: string,
  now = new Date(),
): Promise<DomainHealth> {
  const domain = await getDomain(scope, slug);
  assertMay(scope, "analytics.read");
  const [verification, row, alarms] = await Promise.all([
    getVerification(scope, slug),
    findHealth(scope.workspacePk, domain.id),
    listAlarms(scope.workspacePk, domain.id),
  ]);
  return {
    slug: domain.slug,
    dns: dnsOf(verification),
    ...answerOf(row, now),
    checker:
      row?.checker && row.checkerAt
        ? { blockedIn: row.checker, checkedAt: row.checkerAt.toISOString() }
        : null,
    apps: row?.apps ?? [],
    comparedUntil: row?.judgedDay ?? null,
    alarms: alarms.map(presentAlarm),
  };
}

/** Dismisses the alarm of an app, if there is one. The same drop in visits does not raise another one. */
export async function dismissDomainAlarm(
  scope: WorkspaceScope,
  slug: string,
  app: AppName,
): Promise<{ slug: string; app: AppName }> {
  // defence: domain-alarm-needs-write
  assertMay(scope, "domains.write");
  const { workspacePk, actor } = scope;
  const host = parseHost(slug);
  const domain = host.ok ? await findDomain(workspacePk, host.host) : undefined;
  if (!domain || !reachesDomain(scope, domain.pk)) {
    throw new AppError("not_found", `Domain "${slug}" not found in this workspace.`);
  }
  await transaction(async (tx) => {
    if (!(await dismiss(tx, workspacePk, domain.pk, app))) return;
    const details = { slug: domain.slug, app };
    const action = "domain.dismiss_alarm" as const;
    await recordAudit(tx, [{ workspacePk, actor, action, subject: domain.id, details }]);
  });
  return { slug: domain.slug, app };
}

function dnsOf({ checkedAt, problems, failingSince }: Verification): DomainHealth["dns"] {
  if (checkedAt === null) return { state: "unknown", checkedAt };
  if (failingSince !== null || problems.includes("traffic_missing")) {
    return { state: "missing", checkedAt };
  }
  return { state: problems.includes("traffic_elsewhere") ? "elsewhere" : "ok", checkedAt };
}

function answerOf(
  row: HealthRow | undefined,
  now: Date,
): Pick<DomainHealth, "answer" | "certificate"> {
  const checkedAt = row?.probedAt?.toISOString() ?? null;
  const probe = row?.probe;
  if (!probe) {
    return {
      answer: { state: "unknown", status: null, checkedAt },
      certificate: { state: "unknown", validUntil: null, issuer: null, checkedAt },
    };
  }
  const { status, certificate } = probe;
  return {
    answer: { state: answersWith(status), status, checkedAt },
    certificate: {
      state: certificateStateOf(certificate, now),
      validUntil: certificate?.validUntil ?? null,
      issuer: certificate?.issuer ?? null,
      checkedAt,
    },
  };
}

type Certificate = NonNullable<HealthRow["probe"]>["certificate"];

function certificateStateOf(
  certificate: Certificate,
  now: Date,
): DomainHealth["certificate"]["state"] {
  if (!certificate) return "none";
  const { valid, validUntil } = certificate;
  const leftMs = validUntil === null ? 0 : Date.parse(validUntil) - now.getTime();
  if (!valid || leftMs <= 0) return "invalid";
  return leftMs < expiringMs ? "expiring" : "valid";
}

function presentAlarm(alarm: OpenAlarm): DomainAlarm {
  const { foundAt, dismissedAt } = alarm;
  return { ...alarmFacts(alarm), foundAt: foundAt.toISOString(), dismissed: dismissedAt !== null };
}
