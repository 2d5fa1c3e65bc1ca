/**
 * Domains: the hosts that serve links, and the workspaces that may use them.
 *
 * States of a domain: claimed → verified → deleted. Only a verified domain serves visits and gets
 * links. Several workspaces may claim a host. The first to prove ownership serves it, which a
 * unique index over verified domains enforces. The others keep their claims and can verify once the
 * host is free. A renamed domain becomes a claim again.
 *
 * DNS proves ownership: records.ts has the records, checks.ts the consequences, verifying.ts checks
 * manually and checking.ts on schedule. Domains under `FUXI_DOMAINS_TRUSTED`, and names below
 * localhost on a local instance, need no proof.
 *
 * Each change takes a revision and lists the cache entries of the old and new host, so that every
 * process sees it within a second.
 */

import { isIP } from "node:net";
import { newId, newUuid, uuidTime } from "#lib/basics/ids";
import { findRefused, loadDestinationRules, refusalMessage } from "#lib/destinations/lists";
import {
  findShortHosts,
  isLocal,
  isOwnAddress,
  isOwnHost,
  isTrusted,
  parseHost,
  primaryEntry,
} from "#lib/links/hosts";
import { rootKey, takeCodes } from "#lib/links/keys";
import { hostEntry } from "#lib/links/link-cache";
import { plainColumns } from "#lib/links/link-columns/schema";
import { claimNames, insertRows, type LinkRow, pkTriesMax } from "#lib/links/link-rows";
import type { ReadyCode } from "#lib/platform/codes";
import { AppError, assertRoom } from "#lib/platform/errors";
import type { Connection } from "#lib/platform/postgres";
import { assertMay, lockWorkspace, type WorkspaceScope } from "#lib/tenancy/access";
import { changesOf } from "#lib/tenancy/audit";
import { assertFeatureOn } from "#lib/tenancy/features";
import { takeQuota } from "#lib/tenancy/quotas";
import { reachesDomain } from "#lib/tenancy/reach";
import {
  cacheEntriesOf,
  changeDomain,
  hostTaken,
  lockDomain,
  missing,
  storedNameOf,
} from "./change.ts";
import { checkDomainsJob } from "./checking.ts";
import { resetChecks } from "./checks-store.ts";
import {
  clearDomainsJob,
  clearingDelaySeconds,
  hasLinks,
  isFolded,
  scheduleClearing,
} from "./domain-links.ts";
import type { DomainView, EditDomain, ListDomains, NewDomain, Verification } from "./schema.ts";
import {
  countRows,
  type DomainRow,
  type DomainValues,
  deleteRow,
  domainsMax,
  emptyValues,
  findRow,
  insertRow,
  isServed,
  listRows,
  presentDomain,
  setPrimary,
  updateRow,
  withChanges,
} from "./store.ts";
import { stateOf } from "./verifying.ts";

export { changeBesideDomain } from "./change.ts";

export { transferDomain } from "./transfer.ts";
export { getVerification, verifyDomain } from "./verifying.ts";

export const domainJobs = [clearDomainsJob, checkDomainsJob];

export async function createDomain(scope: WorkspaceScope, body: NewDomain): Promise<DomainView> {
  assertMay(scope, "domains.write");
  await assertFeatureOn("domains");
  const host = acceptHost(body.slug);
  (await destinationCheck(scope))(body, {});
  await assertNoLoops(body, host);
  const codes = await takeRootCodes();
  const { workspacePk } = scope;
  return await changeDomain(scope, "domain.create", host, async (tx, revise) => {
    // One create at a time per workspace, so that the count is exact until the commit.
    await lockWorkspace(tx, workspacePk);
    assertRoom(await countRows(tx, workspacePk), domainsMax, "domains");
    const quota = await takeQuota(tx, scope, "domains", 1);
    if (!quota.ok) throw new AppError("forbidden", quota.message);
    if (await isServed(tx, host)) throw hostTaken(host);
    const values = withChanges({ ...emptyValues, slug: host }, body);
    const created = {
      id: newId("dom"),
      workspacePk,
      verified: isTrusted(host),
      revision: await revise(),
    };
    const row = await insertRow(tx, created, values);
    await insertRootLink(tx, scope, { pk: row.pk, revision: created.revision }, codes);
    return { row, entries: [hostEntry(host)] };
  });
}

export async function listOwnDomains(
  scope: WorkspaceScope,
  filters: ListDomains,
): Promise<DomainView[]> {
  assertMay(scope, "domains.read");
  const rows = await listRows(scope.workspacePk, filters);
  return rows.filter(({ pk }) => reachesDomain(scope, pk)).map(presentDomain);
}

export async function getDomain(scope: WorkspaceScope, slug: string): Promise<DomainView> {
  assertMay(scope, "domains.read");
  const row = await findRow(scope.workspacePk, storedNameOf(slug));
  if (!row || !reachesDomain(scope, row.pk)) throw missing(slug);
  return presentDomain(row);
}

export async function editDomain(
  scope: WorkspaceScope,
  slug: string,
  body: EditDomain,
): Promise<DomainView> {
  assertMay(scope, "domains.write");
  const name = storedNameOf(slug);
  const host = body.slug === undefined || body.slug === name ? name : acceptHost(body.slug);
  if (host !== name) await assertFeatureOn("domains");
  await assertNoLoops(body, host);
  const assertLists = await destinationCheck(scope);
  return await changeDomain(scope, "domain.edit", host, async (tx, revise) => {
    const before = await lockDomain(tx, scope, slug);
    // defence: domain-urls-checked
    assertLists(body, urlsOf(before));
    const values = withChanges({ ...before, slug: host }, body);
    if (values.case_insensitive && !before.case_insensitive) await assertFoldable(tx, before);
    const renamed = host !== before.slug;
    if (renamed && (await isServed(tx, host))) throw hostTaken(host);
    if (renamed) await assertNoLoops(urlsOf(values), host);
    const verified = renamed ? isTrusted(host) : before.verified_at !== null;
    const terms = { pk: before.pk, verified, revision: await revise() };
    const row = await updateRow(tx, terms, values);
    if (renamed) await resetChecks(tx, row.pk, !verified);
    const details = changesOf(settingsOf(presentDomain(before)), settingsOf(presentDomain(row)));
    return { row, entries: cacheEntriesOf(before, row), details };
  });
}

function settingsOf({ updatedAt: _updatedAt, ...settings }: DomainView) {
  return settings;
}

export async function makePrimary(scope: WorkspaceScope, slug: string): Promise<DomainView> {
  assertMay(scope, "domains.write");
  const { workspacePk } = scope;
  return await changeDomain(scope, "domain.primary", storedNameOf(slug), async (tx) => {
    // The later of two concurrent calls wins.
    await lockWorkspace(tx, workspacePk);
    const row = await lockDomain(tx, scope, slug);
    if (!row.verified_at) {
      const message = `${row.slug} isn’t verified yet. Verify it first.`;
      throw new AppError("unprocessable_entity", message);
    }
    await setPrimary(tx, workspacePk, row.pk);
    return { row: { ...row, primary: true }, entries: [primaryEntry(workspacePk)] };
  });
}

/** New links then use the instance’s domain by default. */
export async function dropPrimary(scope: WorkspaceScope, slug: string): Promise<DomainView> {
  assertMay(scope, "domains.write");
  const { workspacePk } = scope;
  return await changeDomain(scope, "domain.primary", storedNameOf(slug), async (tx) => {
    await lockWorkspace(tx, workspacePk);
    const row = await lockDomain(tx, scope, slug);
    if (row.primary) await setPrimary(tx, workspacePk, undefined);
    return { row: { ...row, primary: false }, entries: [primaryEntry(workspacePk)] };
  });
}

export async function deleteDomain(
  scope: WorkspaceScope,
  slug: string,
  links: "keep" | "delete",
): Promise<{ slug: string }> {
  assertMay(scope, "domains.write");
  const { workspacePk } = scope;
  const { slug: host } = await changeDomain(
    scope,
    "domain.delete",
    storedNameOf(slug),
    async (tx) => {
      const row = await lockDomain(tx, scope, slug);
      if (links === "keep" && (await hasLinks(tx, row))) {
        throw new AppError(
          "conflict",
          `${row.slug} has links. Move or delete them first, or use links=delete to delete them with the domain.`,
        );
      }
      await deleteRow(tx, row.pk);
      await scheduleClearing(tx, row, clearingDelaySeconds);
      return { row, entries: [hostEntry(row.slug), primaryEntry(workspacePk)] };
    },
  );
  return { slug: host };
}

/** Generated codes and keys with capitals would become ambiguous, or unreachable. */
async function assertFoldable(tx: Connection, domain: DomainRow): Promise<void> {
  if (await isFolded(tx, domain)) return;
  throw new AppError(
    "conflict",
    `caseInsensitive: ${domain.slug} has generated keys or keys with uppercase letters, so it must stay case-sensitive.`,
  );
}

const addressFields = ["placeholder", "notFoundUrl", "expiredUrl"] as const;

/** The URLs of a domain as fields of an edit. After a rename, they may point to the domain itself. */
function urlsOf(row: DomainValues): EditDomain {
  const { placeholder, not_found_url: notFoundUrl, expired_url: expiredUrl } = row;
  return { placeholder, notFoundUrl, expiredUrl };
}

/** A missing link that redirects to another missing link would loop forever. */
async function assertNoLoops(body: EditDomain, host: string): Promise<void> {
  for (const field of addressFields) {
    const address = body[field];
    if (!address) continue;
    const to = hostOf(address);
    // defence: domain-address-loops
    const isShort = to === host || isOwnAddress(address) || (await findShortHosts([to])).has(to);
    if (!isShort) continue;
    const message = `${field}: ${to} is a short link domain itself. Use the URL of a page.`;
    throw new AppError("unprocessable_entity", message);
  }
}

/** Refuses URLs that a list does not allow. URLs that the domain already has may stay. */
async function destinationCheck(
  scope: WorkspaceScope,
): Promise<(body: EditDomain, before: EditDomain) => void> {
  const rules = await loadDestinationRules(scope.workspacePk);
  return (body, before) => {
    for (const field of addressFields) {
      const address = body[field];
      if (!address || address === before[field]) continue;
      const refused = findRefused(rules, [address], hostOf);
      if (!refused) continue;
      const { host, list, owner } = refused;
      const message = `${field}: ${refusalMessage(refused)}`;
      throw new AppError("unprocessable_entity", message, {
        problem: "destination_refused",
        params: { host, list, owner },
      });
    }
  };
}

function hostOf(address: string): string {
  return new URL(address).hostname.replace(/\.$/, "");
}

function acceptHost(text: string): string {
  const parsed = parseHost(text);
  if (!parsed.ok) throw new AppError("unprocessable_entity", `slug: ${parsed.message}`);
  if (!isOwnHost(parsed.host)) return parsed.host;
  const message = `slug: ${parsed.host} is used by Fuxi itself. Choose another domain.`;
  throw new AppError("conflict", message);
}

interface TrafficAdvice {
  type: "CNAME" | "A" | "AAAA";
  value: string;
}

/** Guesses from the Host header where domains should point, for an instance that does not know its public address. */
export function adviseTraffic(hostHeader: string): TrafficAdvice | undefined {
  const name = hostHeader.replace(/:\d+$/, "").replace(/^\[|\]$/g, "");
  const family = isIP(name);
  if (/^127\.|^0\.0\.0\.0$|^::1?$/.test(name) || isLocal(name)) return undefined;
  if (family !== 0) return { type: family === 4 ? "A" : "AAAA", value: name };
  const parsed = parseHost(name);
  return parsed.ok ? { type: "CNAME", value: parsed.host } : undefined;
}

interface ListedDomain extends DomainView {
  state: Verification["state"];
}

export async function listDomainStates(
  scope: WorkspaceScope,
  query: ListDomains,
): Promise<ListedDomain[]> {
  assertMay(scope, "domains.read");
  const rows = await listRows(scope.workspacePk, query);
  return rows.map((row) => ({ ...presentDomain(row), state: stateOf(row) }));
}

/** Several codes, because a chosen name may have reserved a pk. Taken before the transaction. */
function takeRootCodes(): Promise<ReadyCode[]> {
  return takeCodes(pkTriesMax);
}

async function insertRootLink(
  tx: Connection,
  { workspacePk, userPk, apiKeyPk }: WorkspaceScope,
  domain: { pk: number; revision: number },
  codes: readonly ReadyCode[],
): Promise<void> {
  const id = newUuid();
  const created = new Date(uuidTime(id));
  for (const { pk } of codes) {
    const row: LinkRow = {
      ...plainColumns,
      pk,
      id,
      revision: domain.revision,
      workspace_pk: workspacePk,
      domain_pk: domain.pk,
      user_pk: userPk,
      api_key_pk: apiKeyPk,
      key: rootKey,
      url: "",
      alias: true,
      created_at: created,
      updated_at: created,
    };
    if ((await insertRows(tx, [{ row, tagPks: [] }])).size > 0) continue;
    await claimNames(tx, [row]);
    return;
  }
  throw new Error(`No free pk in ${codes.length} tries`);
}
