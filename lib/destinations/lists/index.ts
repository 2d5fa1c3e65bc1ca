/**
 * Where links may redirect to: lists of hosts, of the instance and of each workspace.
 *
 * An active allow list refuses all destinations that are not on it; a block list refuses those on
 * it. All lists of the instance and the workspace apply. An entry of a block list covers the
 * subdomains of its host; an entry of an allow list does not. Lists are checked when a destination
 * is added to a link or a domain, never during a visit, so existing links keep working.
 *
 * A list has entries from settings (only the instance’s), entries that people and programs added,
 * and the last good content of its source (polling.ts).
 */
import { findOfHost, pagesOf } from "#lib/basics/urls";
import { AppError } from "#lib/platform/errors";
import type { Connection } from "#lib/platform/postgres";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import { loadBannedHosts } from "#lib/tenancy/bans";
import { auditLook, type OperatorScope, recordOperation } from "#lib/tenancy/operators";
import { fixedEntries, fixedSource, loadLists, type OwnerLists } from "./memory.ts";
import { changeLists, pollRow, type Revise, storeRead, takePollTurn } from "./polling.ts";
import {
  type ChangeList,
  type DestinationList,
  type DestinationLists,
  type InstanceListKind,
  type InstanceLists,
  type ListKind,
  type ListProblem,
  ownEntriesMax,
  problemMessage,
} from "./schema.ts";
import { isSourceUrl, listProblem, parseEntry, readSource, type SourceRead } from "./source.ts";
import { findLists, type ListRow, lockList, updateEntries, updateSource } from "./store.ts";

export { pollDestinationsJob, pollDueSources, warnListsJob } from "./polling.ts";

/** For the instance’s lists, which apply to all workspaces. Changes by an administrator need a reason. */
interface InstanceScope {
  readonly workspacePk: null;
  readonly actor: string;
  readonly operator: OperatorScope;
  readonly reason: string;
}

type ListScope = WorkspaceScope | InstanceScope;
/** Only the instance has a warning list. */
type KindOf<Scope> = Scope extends InstanceScope ? InstanceListKind : ListKind;
type ListView<Kind> = Omit<DestinationList, "kind"> & { kind: Kind };

/** Changes are recorded with `reason`. */
export function openInstanceLists(operator: OperatorScope, reason = ""): InstanceScope {
  return { workspacePk: null, actor: operator.actor, operator, reason };
}

export interface DestinationRules {
  instance: OwnerLists;
  workspace: OwnerLists;
  /** Hosts that administrators banned, with their subdomains. */
  banned: ReadonlyMap<string, true>;
}

export async function loadInstanceRules(): Promise<DestinationRules> {
  return { instance: await loadLists(null), workspace: {}, banned: new Map() };
}

export async function loadDestinationRules(workspacePk: number): Promise<DestinationRules> {
  const [instance, workspace, banned] = await Promise.all([
    loadLists(null),
    loadLists(workspacePk),
    loadBannedHosts(),
  ]);
  return { instance, workspace, banned };
}

export interface RefusedDestination {
  host: string;
  list: ListKind;
  owner: "workspace" | "instance";
}

/** The first destination that a list refuses. `hostOf` returns the host of a web URL in ASCII. */
export function findRefused(
  rules: DestinationRules,
  urls: readonly string[],
  hostOf: (url: string) => string,
): RefusedDestination | undefined {
  const { instance, workspace, banned } = rules;
  const hasLists = instance.allow || instance.block || workspace.allow || workspace.block;
  if (!hasLists && banned.size === 0) return undefined;
  // defence: intent-page-checked
  for (const page of urls.flatMap(pagesOf)) {
    const refused = findRefusing(rules, hostOf(page), page);
    if (refused) return refused;
  }
  return undefined;
}

function findRefusing(
  rules: DestinationRules,
  host: string,
  page: string,
): RefusedDestination | undefined {
  // A final dot does not change the host.
  // defence: list-final-dot
  const name = host.replace(/\.$/, "");
  // defence: banned-host-destination
  if (rules.banned.size > 0 && findOfHost(rules.banned, name)) {
    return { host, list: "block", owner: "instance" };
  }
  for (const owner of ["instance", "workspace"] as const) {
    const { allow, block } = rules[owner];
    // defence: block-list
    if (block?.matches(name, page)) return { host, list: "block", owner };
    if (allow && !allow.matches(name, page)) return { host, list: "allow", owner };
  }
  return undefined;
}

export function refusalMessage({ host, list, owner }: RefusedDestination): string {
  const admin = owner === "instance" ? "your administrator" : "an admin";
  return list === "block"
    ? `${host} is on the block list of this ${owner}. Use another destination.`
    : `${host} isn’t on the allow list of this ${owner}. Use another destination, or ask ${admin} to add it.`;
}

export async function getDestinationLists(scope: WorkspaceScope): Promise<DestinationLists> {
  assertMay(scope, "destinations.read");
  const [rows, instance] = await Promise.all([findLists(scope.workspacePk), loadLists(null)]);
  const rowOf = new Map(rows.map((row) => [row.kind, row]));
  const view = (kind: ListKind) => present(scope, kind, rowOf.get(kind));
  return {
    allow: view("allow"),
    block: view("block"),
    instance: { allow: Boolean(instance.allow), block: Boolean(instance.block) },
  };
}

export async function getInstanceLists(operator: OperatorScope): Promise<InstanceLists> {
  const scope = openInstanceLists(operator);
  const rows = await findLists(null);
  const rowOf = new Map(rows.map((row) => [row.kind, row]));
  const view = (kind: InstanceListKind) => present(scope, kind, rowOf.get(kind));
  return { allow: view("allow"), block: view("block"), warn: view("warn") };
}

function assertMayWrite(scope: ListScope): void {
  if (scope.workspacePk !== null) assertMay(scope, "destinations.write");
}

function present<Kind extends InstanceListKind>(
  scope: ListScope,
  kind: Kind,
  row: ListRow | undefined,
): ListView<Kind> {
  const isInstance = scope.workspacePk === null;
  const own = linesOf(row?.entries ?? "");
  const entries = isInstance ? [...fixedEntries(kind), ...own] : own;
  const source = (isInstance ? fixedSource(kind) : row?.source) ?? null;
  const { problem } = row ?? {};
  return {
    kind,
    active: entries.length > 0 || source !== null,
    entries,
    source,
    sourceEntries: source === null ? 0 : (row?.source_count ?? 0),
    polledAt: row?.polled_at?.toISOString() ?? null,
    succeededAt: row?.succeeded_at?.toISOString() ?? null,
    problem: problem ? { ...problem, message: problemMessage(problem) } : null,
  };
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.split("\n");
}

/** Adds and removes entries, and sets the source, which is read before it is saved. */
export async function changeDestinationList<Scope extends ListScope>(
  scope: Scope,
  kind: KindOf<Scope>,
  { add, remove, source }: ChangeList,
): Promise<ListView<KindOf<Scope>>> {
  assertMayWrite(scope);
  const added = add.map(parseOrThrow);
  // An invalid entry can’t be in the list, so there is nothing to remove.
  const removed = new Set(
    remove.map(parseEntry).map((one) => ("pattern" in one ? one.pattern : "")),
  );
  const moved = source === undefined ? undefined : await readNewSource(scope, source || null);
  const { workspacePk } = scope;
  return await changeLists(workspacePk, async (tx, revise) => {
    const row = await lockList(tx, workspacePk, kind);
    const entries = entriesAfter(row, added, removed);
    if (entries.isChanged) await updateEntries(tx, row.pk, entries.after, await revise());
    const isMoved = moved !== undefined && (await storeSource(tx, row, moved, revise));
    if (entries.isChanged || isMoved) {
      const change = isMoved ? { source: { from: row.source, to: moved.source } } : {};
      const details = { name: kind, ...entries.details, ...change };
      await recordChange(tx, scope, details);
    }
    return present(scope, kind, await lockList(tx, workspacePk, kind));
  });
}

async function recordChange(tx: Connection, scope: ListScope, details: Record<string, unknown>) {
  if (scope.workspacePk === null) {
    const { operator, reason } = scope;
    const action = "operator.edit_list" as const;
    await recordOperation(tx, operator, { workspacePk: null, action, reason, details });
  } else {
    const { workspacePk, actor } = scope;
    await recordAudit(tx, [{ workspacePk, actor, action: "destination-list.edit", details }]);
  }
}

interface NewSource {
  source: string | null;
  read?: SourceRead;
}

/** False: the list already had this source. */
async function storeSource(
  tx: Connection,
  row: ListRow,
  { source, read }: NewSource,
  revise: Revise,
): Promise<boolean> {
  const isMoved = source !== row.source;
  if (isMoved) await updateSource(tx, row.pk, source, await revise());
  if (source !== null && read) await storeRead(tx, row, source, read, revise);
  return isMoved;
}

function entriesAfter(row: ListRow, added: readonly string[], removed: ReadonlySet<string>) {
  const before = linesOf(row.entries);
  const kept = before.filter((entry) => !removed.has(entry));
  const after = [...new Set([...kept, ...added])].sort();
  if (after.length > ownEntriesMax) {
    throw refused(listProblem("entries_full", { max: ownEntriesMax }));
  }
  const details = {
    added: after.filter((entry) => !before.includes(entry)),
    removed: before.filter((entry) => !after.includes(entry)),
  };
  return { after, details, isChanged: after.join("\n") !== row.entries };
}

function parseOrThrow(text: string): string {
  const parsed = parseEntry(text);
  if ("pattern" in parsed) return parsed.pattern;
  throw refused(parsed);
}

function refused(problem: ListProblem): AppError {
  const { code, params } = problem;
  return new AppError("unprocessable_entity", problemMessage(problem), { problem: code, params });
}

/** A source that cannot be read is not saved: an allow list without entries refuses everything. */
async function readNewSource(scope: ListScope, source: string | null): Promise<NewSource> {
  if (scope.workspacePk === null) {
    const message =
      "source: The source of an instance list is an environment variable. Change it there.";
    throw new AppError("unprocessable_entity", message);
  }
  if (source === null) return { source };
  // defence: list-source-is-no-file
  if (!isSourceUrl(source)) throw refused(listProblem("source_insecure"));
  await takePollTurn(scope.workspacePk);
  const read = await readSource(source, null);
  if ("problem" in read) throw refused(read.problem);
  return { source, read };
}

export async function pollDestinationList<Scope extends ListScope>(
  scope: Scope,
  kind: KindOf<Scope>,
): Promise<ListView<KindOf<Scope>>> {
  assertMayWrite(scope);
  await takePollTurn(scope.workspacePk);
  const { workspacePk } = scope;
  const rowOf = async () => (await findLists(workspacePk)).find((row) => row.kind === kind);
  const row = await rowOf();
  if (row) await pollRow(row);
  if (row && scope.workspacePk === null && fixedSource(kind) !== undefined) {
    const details = { name: kind };
    await auditLook(scope.operator, null, { action: "operator.read_list", details });
  }
  return present(scope, kind, await rowOf());
}
