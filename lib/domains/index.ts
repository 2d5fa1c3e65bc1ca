/**
 * Domains: the hosts that serve links, and which workspace may use which.
 *
 * States of a domain: claimed → verified → deleted. Only a verified one serves visits and gets links. A claim keeps
 * nobody out: several workspaces may claim a host, and whoever shows first that it is theirs serves it, which a unique
 * index over the verified ones settles. The others keep their claims, and can verify once the host is free. A new name
 * makes a claim of a domain again.
 *
 * `config().FUXI_DOMAINS_TRUSTED`, and names below localhost on an installation that is on localhost itself, are
 * believed without being shown.
 *
 * Each change takes a revision and names the entries of old and new host, so that every process sees it in a second.
 */
import { changesOf, recordDeeds } from "#lib/audit";
import { type Change, publishChanges, recordChanges, takeRevision } from "#lib/coherence";
import { AppError } from "#lib/errors";
import { newId } from "#lib/ids";
import { type Connection, transaction } from "#lib/postgres";
import { takeQuota } from "#lib/quotas";
import { hostEntry } from "#lib/targets";
import { assertMay, lockWorkspace, type WorkspaceScope } from "#lib/workspaces";
import { clearDomainsJob, clearingDelaySeconds } from "./clearing.ts";
import { primaryEntry } from "./find.ts";
import { isOwnHost, isTrusted, parseHost } from "./host.ts";
import { hasLinks, isFolded, noteClearing } from "./links-of.ts";
import type { DomainView, EditDomain, ListDomains, NewDomain } from "./schema.ts";
import {
  brokenRule,
  countRows,
  type DomainRow,
  deleteRow,
  findRow,
  insertRow,
  isServed,
  listRows,
  lockRow,
  setPrimary,
  updateRow,
} from "./store.ts";
import { emptyValues, presentDomain, withChanges } from "./values.ts";

export {
  type Domain,
  findDomain,
  findShortHosts,
  listDomains,
  openDomains,
  shortUrl,
} from "./find.ts";
export { defaultHost } from "./host.ts";

/** Of one workspace, whatever its plan. */
const domainsMax = 1_000;

/** Jobs that a worker of this installation runs. */
export const domainJobs = [clearDomainsJob];

/** Claims a host. It serves at once when it is trusted. */
export async function createDomain(scope: WorkspaceScope, body: NewDomain): Promise<DomainView> {
  assertMay(scope, "domains.write");
  const host = acceptHost(body.slug);
  const { workspacePk } = scope;
  return await change(scope, "domain.create", host, async (tx, revise) => {
    // One at a time in a workspace, so that the count stays true until the commit.
    await lockWorkspace(tx, workspacePk);
    if ((await countRows(tx, workspacePk)) >= domainsMax) {
      const message = `A workspace has at most ${domainsMax} domains. Delete one first.`;
      throw new AppError("forbidden", message);
    }
    const quota = await takeQuota(tx, scope, "domains", 1);
    if (!quota.ok) throw new AppError("forbidden", quota.message);
    if (await isServed(tx, host)) throw taken(host);
    const values = withChanges({ ...emptyValues, slug: host }, body);
    const made = {
      id: newId("dom"),
      workspacePk,
      verified: isTrusted(host),
      revision: await revise(),
    };
    return { row: await insertRow(tx, made, values), entries: [hostEntry(host)] };
  });
}

/** A page of the workspace's own domains, the primary one first. */
export async function listOwnDomains(
  scope: WorkspaceScope,
  asked: ListDomains,
): Promise<DomainView[]> {
  assertMay(scope, "domains.read");
  return (await listRows(scope.workspacePk, asked)).map(presentDomain);
}

export async function getDomain(scope: WorkspaceScope, slug: string): Promise<DomainView> {
  assertMay(scope, "domains.read");
  const row = await findRow(scope.workspacePk, nameOf(slug));
  if (!row) throw missing(slug);
  return presentDomain(row);
}

/** Changes a domain. With another slug it has to be verified again. */
export async function editDomain(
  scope: WorkspaceScope,
  slug: string,
  body: EditDomain,
): Promise<DomainView> {
  assertMay(scope, "domains.write");
  const name = nameOf(slug);
  const host = body.slug === undefined || body.slug === name ? name : acceptHost(body.slug);
  return await change(scope, "domain.edit", host, async (tx, revise) => {
    const before = await lock(tx, scope, slug);
    const values = withChanges({ ...before, slug: host }, body);
    if (values.case_insensitive && !before.case_insensitive) await assertFoldable(tx, before);
    const renamed = host !== before.slug;
    if (renamed && (await isServed(tx, host))) throw taken(host);
    const verified = renamed ? isTrusted(host) : before.verified_at !== null;
    const terms = { pk: before.pk, verified, revision: await revise() };
    const row = await updateRow(tx, terms, values);
    const details = changesOf(settingsOf(presentDomain(before)), settingsOf(presentDomain(row)));
    return { row, entries: entriesOf(before, row), details };
  });
}

/** What people say of a domain. */
function settingsOf({ updatedAt: _updatedAt, ...settings }: DomainView) {
  return settings;
}

export interface Verification {
  slug: string;
  verified: boolean;
  /** What to do, when it is not. */
  message: string;
}

/** Looks whether a domain is its workspace's, and lets it serve if so. */
export async function verifyDomain(scope: WorkspaceScope, slug: string): Promise<Verification> {
  assertMay(scope, "domains.write");
  const host = nameOf(slug);
  const found = await findRow(scope.workspacePk, host);
  if (!found) throw missing(slug);
  if (found.verified_at) return { slug: host, verified: true, message: `${host} serves.` };
  if (!isTrusted(host)) {
    const message =
      "This installation does not look into DNS yet. Its operator lets domains serve with FUXI_DOMAINS_TRUSTED=yes.";
    return { slug: host, verified: false, message };
  }
  await change(scope, "domain.verify", host, async (tx, revise) => {
    const before = await lock(tx, scope, slug);
    const terms = { pk: before.pk, verified: true, revision: await revise() };
    const row = await updateRow(tx, terms, before);
    return { row, entries: entriesOf(before, row) };
  });
  return { slug: host, verified: true, message: `${host} serves.` };
}

/** Makes a domain the one on which links are made that name none. */
export async function makePrimary(scope: WorkspaceScope, slug: string): Promise<DomainView> {
  assertMay(scope, "domains.write");
  const { workspacePk } = scope;
  return await change(scope, "domain.primary", nameOf(slug), async (tx) => {
    // Two that are made primary at once: the later one stays.
    await lockWorkspace(tx, workspacePk);
    const row = await lock(tx, scope, slug);
    if (!row.verified_at) {
      const message = `${row.slug} is not verified yet. Verify it first; until then it serves nobody.`;
      throw new AppError("unprocessable_entity", message);
    }
    await setPrimary(tx, workspacePk, row.pk);
    return { row: { ...row, primary: true }, entries: [primaryEntry(workspacePk)] };
  });
}

/** Leaves the workspace without a primary domain: links that name none are made on the installation's own again. */
export async function dropPrimary(scope: WorkspaceScope, slug: string): Promise<DomainView> {
  assertMay(scope, "domains.write");
  const { workspacePk } = scope;
  return await change(scope, "domain.primary", nameOf(slug), async (tx) => {
    await lockWorkspace(tx, workspacePk);
    const row = await lock(tx, scope, slug);
    if (row.primary) await setPrimary(tx, workspacePk, undefined);
    return { row: { ...row, primary: false }, entries: [primaryEntry(workspacePk)] };
  });
}

/** Deletes a domain without links, or, when that is what `links` says, with them. */
export async function deleteDomain(
  scope: WorkspaceScope,
  slug: string,
  links: "keep" | "delete",
): Promise<{ slug: string }> {
  assertMay(scope, "domains.write");
  const { workspacePk } = scope;
  const { slug: host } = await change(scope, "domain.delete", nameOf(slug), async (tx) => {
    const row = await lock(tx, scope, slug);
    if (links === "keep" && (await hasLinks(tx, row))) {
      throw new AppError(
        "conflict",
        `${row.slug} has links. Move or delete them first, or delete them with it: ?links=delete.`,
      );
    }
    await deleteRow(tx, row.pk);
    await noteClearing(tx, row, clearingDelaySeconds);
    return { row, entries: [hostEntry(row.slug), primaryEntry(workspacePk)] };
  });
  return { slug: host };
}

interface Changed {
  row: DomainRow;
  /** Entries of caches that the change made old. */
  entries: string[];
  /** For the audit, instead of the name alone. */
  details?: Record<string, unknown>;
}

/** One change of a domain: its transaction with the outbox and the audit, then the publication. */
async function change(
  scope: WorkspaceScope,
  action: string,
  host: string,
  work: (tx: Connection, revise: () => Promise<number>) => Promise<Changed>,
): Promise<DomainView> {
  const { workspacePk, actor } = scope;
  let changes: Change[] = [];
  const row = await transaction(async (tx) => {
    let taken: Promise<number> | undefined;
    // Taken once the row is locked: who changes it later has a greater one.
    const revise = () => {
      taken ??= takeRevision(tx);
      return taken;
    };
    const changed = await work(tx, revise);
    const revision = await revise();
    changes = changed.entries.map((entry) => ({ entry, revision }));
    await recordChanges(tx, changes);
    const { id, slug } = changed.row;
    const { details = { slug } } = changed;
    await recordDeeds(tx, [{ workspacePk, actor, action, subject: id, details }]);
    return changed.row;
  }).catch((error: unknown) => {
    // Somebody else was faster; the indexes say in what.
    const rule = brokenRule(error);
    if (rule === "domain_claim") throw doubled(host);
    throw rule === "domain_serving" ? taken(host) : error;
  });
  await publishChanges(changes);
  return presentDomain(row);
}

function entriesOf(before: DomainRow, after: DomainRow): string[] {
  const entries = [hostEntry(before.slug), primaryEntry(after.workspace_pk)];
  return before.slug === after.slug ? entries : [...entries, hostEntry(after.slug)];
}

async function lock(tx: Connection, scope: WorkspaceScope, slug: string): Promise<DomainRow> {
  const row = await lockRow(tx, scope.workspacePk, nameOf(slug));
  if (!row) throw missing(slug);
  return row;
}

/** Generated codes and keys with capitals could no longer be told from their neighbours, or no longer be found. */
async function assertFoldable(tx: Connection, domain: DomainRow): Promise<void> {
  if (await isFolded(tx, domain)) return;
  throw new AppError(
    "conflict",
    `${domain.slug} has generated codes or keys with capitals, so it has to tell them from small letters. Only a domain without them can be made case-insensitive.`,
  );
}

function acceptHost(text: string): string {
  const parsed = parseHost(text);
  if (!parsed.ok) throw new AppError("unprocessable_entity", `slug: ${parsed.message}`);
  if (!isOwnHost(parsed.host)) return parsed.host;
  const message = `${parsed.host} is this installation's own. Choose another host.`;
  throw new AppError("conflict", message);
}

/** The name under which a domain would be stored; what is none is nobody's. */
function nameOf(slug: string): string {
  const parsed = parseHost(slug);
  if (!parsed.ok) throw missing(slug);
  return parsed.host;
}

function missing(slug: string): AppError {
  return new AppError("not_found", `There is no domain "${slug}" in this workspace.`);
}

function taken(host: string): AppError {
  return new AppError("conflict", `Another workspace serves ${host}. If it is yours, ask them.`);
}

function doubled(host: string): AppError {
  return new AppError("conflict", `This workspace has the domain ${host} already.`);
}
