import { parseId } from "#lib/basics/ids";
import { recordsFile, type SentFile } from "#lib/platform/downloads";
import { AppError } from "#lib/platform/errors";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import type { AuditQuery, ExportAuditQuery, PresentedAuditEntry } from "./schema.ts";
import { type AuditFilter, findAuditEntries, findNames } from "./store.ts";

export function listAudit(
  scope: WorkspaceScope,
  query: AuditQuery,
): Promise<PresentedAuditEntry[]> {
  assertMay(scope, "audit.read");
  const { pageSize, since, until, startingAfter, endingBefore, ...exact } = query;
  return findAuditEntries(scope.workspacePk, {
    ...exact,
    size: pageSize,
    since: since === undefined ? undefined : new Date(since),
    until: until === undefined ? undefined : new Date(until),
    startingAfter: uuidOf("startingAfter", startingAfter),
    endingBefore: uuidOf("endingBefore", endingBefore),
  });
}

const idPattern = /^[a-z]+_[0-9A-HJKMNP-TV-Z]{26}$/;
const idsNamedMax = 2_000;

export async function nameMentioned(
  scope: WorkspaceScope,
  entries: readonly PresentedAuditEntry[],
): Promise<Record<string, string>> {
  assertMay(scope, "audit.read");
  const ids = entries.flatMap(({ details }) => idsIn(details));
  return Object.fromEntries(await findNames(scope.workspacePk, ids.slice(0, idsNamedMax)));
}

function idsIn(value: unknown): string[] {
  if (typeof value === "string") return idPattern.test(value) ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(idsIn);
}

const rowsAtOnce = 1_000;

/** Newest first, with one page in memory at a time. */
export function exportAudit(scope: WorkspaceScope, query: ExportAuditQuery): SentFile {
  assertMay(scope, "audit.read");
  const { format, since, until, ...exact } = query;
  const filter: AuditFilter = {
    ...exact,
    size: rowsAtOnce,
    since: since === undefined ? undefined : new Date(since),
    until: until === undefined ? undefined : new Date(until),
  };
  const pages = () => auditPages(scope.workspacePk, filter);
  return recordsFile({ name: "fuxi-audit", format, columns, cellsOf, pages });
}

async function* auditPages(
  workspacePk: number,
  filter: AuditFilter,
): AsyncGenerator<PresentedAuditEntry[]> {
  let startingAfter: string | undefined;
  let found = rowsAtOnce;
  while (found === rowsAtOnce) {
    const entries = await findAuditEntries(workspacePk, { ...filter, startingAfter });
    yield entries;
    found = entries.length;
    startingAfter = parseId("aud", entries.at(-1)?.id ?? "");
  }
}

const columns = [
  "id",
  "at",
  "actor",
  "actorName",
  "action",
  "subject",
  "subjectName",
  "address",
  "agent",
  "details",
];

function cellsOf({ actor, details, ...entry }: PresentedAuditEntry): (string | null)[] {
  return [
    entry.id,
    entry.at,
    actor.id,
    actor.name,
    entry.action,
    entry.subject,
    entry.subjectName,
    entry.address,
    entry.agent,
    details === null ? null : JSON.stringify(details),
  ];
}

function uuidOf(field: string, id: string | undefined): string | undefined {
  const uuid = id === undefined ? undefined : parseId("aud", id);
  if (id === undefined || uuid !== undefined) return uuid;
  throw new AppError(
    "unprocessable_entity",
    `${field}: Use the id of an audit log entry, such as aud_….`,
  );
}
