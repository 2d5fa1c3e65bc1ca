import { isLocal, isTrusted } from "#lib/links/hosts";
import { displayValues, ownershipRecord } from "#lib/platform/dns";
import { AppError } from "#lib/platform/errors";
import { tryLimit } from "#lib/platform/limits";
import type { Connection } from "#lib/platform/postgres";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { notifyManagers } from "#lib/tenancy/notifications";
import { reachesDomain } from "#lib/tenancy/reach";
import { addEvent } from "#lib/tenancy/webhook-events";
import {
  type ChangeAuthor,
  cacheEntriesOf,
  commitChange,
  missing,
  storedNameOf,
} from "./change.ts";
import {
  type CheckedDomain,
  type CheckOutcome,
  claimDaysMax,
  evaluateCheck,
  failingDaysMax,
  nextCheck,
} from "./checks.ts";
import { type CheckValues, postpone, saveCheck } from "./checks-store.ts";
import { findTarget, lookUpDomain } from "./dns-lookup.ts";
import { type DnsTarget, type Findings, problemsOf, recordsOf } from "./records.ts";
import type { DnsRecord, DomainProblem, Verification } from "./schema.ts";
import { type DomainRow, findRow, lockRow, updateRow } from "./store.ts";

export async function getVerification(scope: WorkspaceScope, slug: string): Promise<Verification> {
  assertMay(scope, "domains.read");
  const row = await findRow(scope.workspacePk, storedNameOf(slug));
  if (!row || !reachesDomain(scope, row.pk)) throw missing(slug);
  return presentVerification(row, await findTarget());
}

export async function verifyDomain(scope: WorkspaceScope, slug: string): Promise<Verification> {
  assertMay(scope, "domains.write");
  const host = storedNameOf(slug);
  const row = await findRow(scope.workspacePk, host);
  if (!row) throw missing(slug);
  if (isTrusted(host))
    return presentVerification(await activateTrusted(scope, row), await findTarget());
  const attempt = await tryLimit("domainCheckPerWorkspace", scope.workspaceId);
  if (!attempt.ok) {
    throw new AppError(
      "rate_limit_exceeded",
      `Too many DNS checks. Try again in ${attempt.retryAfterSeconds} seconds.`,
      attempt,
    );
  }
  const { target, findings } = await lookUpDomain(host, row.token);
  if (!findings) return presentVerification(row, target, "unsure");
  const settled = await applyCheck(scope, row, { target, findings }, new Date());
  if (!settled) throw missing(slug);
  return presentVerification(settled, target);
}

async function activateTrusted(scope: WorkspaceScope, row: DomainRow): Promise<DomainRow> {
  if (row.verified_at) return row;
  const { row: trusted } = await commitChange(scope, row.slug, async (tx, revise) => {
    const before = await lockRow(tx, scope.workspacePk, row.slug);
    if (!before) throw missing(row.slug);
    const terms = { pk: before.pk, verified: true, revision: await revise() };
    const after = await updateRow(tx, terms, before);
    return { row: after, entries: cacheEntriesOf(before, after), action: "domain.verify" };
  });
  await postpone(trusted, undefined);
  return trusted;
}

export interface DnsCheck {
  target: DnsTarget;
  findings: Findings;
}

/**
 * Undefined: the domain was deleted or renamed meanwhile. If another workspace serves the host,
 * stores that for later reads and throws a conflict.
 */
export async function applyCheck(
  by: ChangeAuthor,
  seen: DomainRow,
  { target, findings }: DnsCheck,
  now: Date,
): Promise<DomainRow | undefined> {
  const shown = shortenFindings(findings, seen);
  // A manual check restarts an expired claim.
  const claimedAt = by.actor !== "system" && isResting(seen) ? now : seen.claimed_at;
  try {
    const { row } = await commitChange(by, seen.slug, async (tx, revise) => {
      const before = await lockRow(tx, by.workspacePk, seen.slug);
      if (before?.pk !== seen.pk) return { row: seen, entries: [], action: undefined };
      const outcome = evaluateCheck(checkedOf(before), findings, target, now);
      const row = await apply(tx, { before, outcome, findings: shown, claimedAt, now }, revise);
      await notify(tx, by, before, row);
      const action = outcome.change === "none" ? undefined : (`domain.${outcome.change}` as const);
      return { row, entries: action ? cacheEntriesOf(before, row) : [], action };
    });
    return row;
  } catch (error) {
    if (error instanceof AppError && error.code === "conflict") {
      const claim = { ...seen, claimed_at: claimedAt };
      await saveCheck(seen, valuesFor(claim, { ...shown, taken: true }, now));
    }
    throw error;
  }
}

function checkedOf(row: DomainRow): CheckedDomain {
  return {
    verified: row.verified_at !== null,
    proven: row.proven_at !== null,
    checkedAt: row.checked_at ?? undefined,
    failingSince: row.failing_since ?? undefined,
  };
}

interface CheckChange {
  before: DomainRow;
  outcome: CheckOutcome;
  findings: Findings;
  claimedAt: Date;
  now: Date;
}

async function apply(
  tx: Connection,
  { before, outcome, findings, claimedAt, now }: CheckChange,
  revise: () => Promise<number>,
): Promise<DomainRow> {
  let row = before;
  if (outcome.change !== "none") {
    const verified = outcome.change === "verify";
    row = await updateRow(tx, { pk: before.pk, verified, revision: await revise() }, before);
  }
  const failingSince = outcome.change === "none" ? outcome.failingSince : undefined;
  const since = {
    failing_since: failingSince ?? null,
    // A lost domain becomes a claim again.
    claimed_at: outcome.change === "unverify" ? now : claimedAt,
  };
  const values = valuesFor({ ...row, ...since }, findings, now);
  return (await saveCheck(row, values, tx)) ?? row;
}

function valuesFor(row: DomainRow, findings: Findings, now: Date): CheckValues {
  const proves = row.verified_at !== null && findings.owned;
  const isWatched = row.verified_at === null || row.proven_at !== null || proves;
  const current = { state: stateOf(row), claimedAt: row.claimed_at, unsure: false };
  return {
    findings,
    checkedAt: now,
    failingSince: row.failing_since ?? undefined,
    // DNS cannot release a trusted domain, so it is not checked.
    dueAt: isWatched ? nextCheck(current, now) : undefined,
    claimedAt: row.claimed_at,
    provenAt: proves ? now : undefined,
  };
}

async function notify(tx: Connection, by: ChangeAuthor, before: DomainRow, after: DomainRow) {
  const [was, is] = [stateOf(before), stateOf(after)];
  if (was !== is && is !== "pending") {
    const data = { id: after.id, domain: after.slug };
    await addEvent(tx, { workspacePk: by.workspacePk, type: `domain.${is}`, data });
  }
  if (was === is || (is === "verified" && (was === "failing" || by.actor !== "system"))) return;
  const kind = is === "pending" ? "domain.unverified" : (`domain.${is}` as const);
  const { workspacePk } = by;
  await notifyManagers(tx, { workspacePk, kind, subject: after.id, details: { slug: after.slug } });
}

export function stateOf(row: DomainRow): Verification["state"] {
  if (!row.verified_at) return "pending";
  return row.failing_since ? "failing" : "verified";
}

function isResting({ slug, verified_at, check_due_at }: DomainRow): boolean {
  return verified_at === null && check_due_at === null && !isTrusted(slug);
}

/** Members may see stored findings, including the value that proves ownership. */
function shortenFindings(findings: Findings, { slug, token }: DomainRow): Findings {
  const { value } = ownershipRecord(slug, token);
  const first = findings.txt.toSorted(
    (a, b) => Number(b.includes(value)) - Number(a.includes(value)),
  );
  return {
    ...findings,
    txt: displayValues(first),
    cnames: displayValues(findings.cnames),
    addresses: displayValues(findings.addresses),
  };
}

function presentVerification(row: DomainRow, target: DnsTarget, also?: DomainProblem) {
  const trusted = isTrusted(row.slug);
  const findings = row.findings ?? undefined;
  const token = trusted ? undefined : row.token;
  const records = isLocal(row.slug) ? [] : recordsOf(row.slug, token, target, findings);
  const found = findings && !trusted ? problemsOf(findings, target) : [];
  const first: DomainProblem[] = also ? [also] : isResting(row) ? ["resting"] : [];
  const problems = [...first, ...found];
  const context = { host: row.slug, token: row.token, target, findings, records };
  const sentences = problems.map((problem) => problemText(problem, context));
  return {
    slug: row.slug,
    verified: row.verified_at !== null,
    state: stateOf(row),
    message: [summaryOf(row), ...sentences].filter((text) => text !== "").join(" "),
    problems,
    records,
    checkedAt: row.checked_at?.toISOString() ?? null,
    failingSince: row.failing_since?.toISOString() ?? null,
  };
}

function summaryOf({ slug, verified_at, failing_since, findings }: DomainRow): string {
  if (failing_since) {
    const since = failing_since.toISOString().slice(0, 10);
    return `${slug} is active, but its DNS records have been missing since ${since}. It stops working ${failingDaysMax} days after that.`;
  }
  if (verified_at) return `${slug} is active.`;
  return findings ? "" : `${slug} isn’t verified yet. Add the DNS records, then verify it.`;
}

interface ProblemContext {
  host: string;
  token: string;
  target: DnsTarget;
  findings: Findings | undefined;
  records: readonly DnsRecord[];
}

function problemText(problem: DomainProblem, context: ProblemContext): string {
  return problemTexts[problem](context);
}

/** In English. The dashboard translates the problems itself. */
const problemTexts: Record<DomainProblem, (context: ProblemContext) => string> = {
  unsure: ({ host }) =>
    `The DNS lookup for ${host} failed. Nothing was changed. Try again in a minute.`,
  resting: ({ host }) =>
    `${host} couldn’t be verified for ${claimDaysMax} days, so automatic checks have stopped. Verify it to resume them.`,
  taken: ({ host }) =>
    `Another workspace already uses ${host}. If you own the domain, contact them.`,
  ownership_missing: ({ host, token }) => {
    const { name, value } = ownershipRecord(host, token);
    return `No TXT record found at ${name}. Add one with the value ${value}.`;
  },
  ownership_wrong: ({ host, token, findings }) => {
    const { name, value } = ownershipRecord(host, token);
    return `The TXT record at ${name} has the value ${quoted(findings?.txt ?? [])}. Change it to ${value}.`;
  },
  traffic_missing: ({ host, records }) => `${host} doesn’t point anywhere yet. ${wanted(records)}`,
  traffic_elsewhere: ({ host, findings, records }) =>
    `${host} points to ${displayValues(findings?.addresses ?? []).join(", ")}, not only to this instance. That’s fine for a proxy such as Cloudflare, as long as the TXT record stays. Otherwise: ${wanted(records)}`,
  target_unknown: () =>
    "The address that domains must point to isn’t set up yet. Ask your administrator.",
};

function quoted(texts: readonly string[]): string {
  return displayValues(texts)
    .map((text) => `"${text}"`)
    .join(", ");
}

function wanted(records: readonly DnsRecord[]): string {
  const traffic = records.filter(({ purpose }) => purpose === "traffic");
  return traffic.map(({ type, name, value }) => `Add ${type} ${name} → ${value}.`).join(" ");
}
