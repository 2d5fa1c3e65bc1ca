/** The preview of an import: its rows, tried by the code that creates links. Nothing is written. */

import { dryRunRows } from "#lib/links/creating";
import { listDomains } from "#lib/links/hosts";
import type { StoredRow } from "#lib/platform/tables";
import { headingCharsMax } from "#lib/platform/tables/schema";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { turnsForwardingOn } from "./dub.ts";
import { findSlugColumn } from "./fields.ts";
import { readRows } from "./file.ts";
import { listNames, newFolderOf, newTagsOf } from "./names.ts";
import { type ImportProblem, importProblem, rowProblem } from "./problems.ts";
import {
  acceptedOf,
  bodyOf,
  bodyOrRefusal,
  domainIn,
  type RowBody,
  type RowReader,
  withRefusals,
} from "./rows.ts";
import { checkedRows, type Preview, previewRows } from "./schema.ts";
import type { ImportRow } from "./store.ts";

/** Rows per query, so that other requests are served in between. */
const triedAtOnce = 500;

const placeholderUrl = "https://example.com/";

export async function readerOf(
  scope: WorkspaceScope,
  { mapping, options }: Pick<ImportRow, "mapping" | "options">,
): Promise<RowReader> {
  const [names, domains] = await Promise.all([listNames(scope, mapping), listDomains(scope)]);
  const hosts = new Set(domains.map(({ slug }) => slug));
  return { mapping, options, zone: scope.zone, names, hosts };
}

/** Says why an import cannot start at all; undefined if it can. */
export async function findObstacle(
  scope: WorkspaceScope,
  { mapping, options, head }: Pick<ImportRow, "mapping" | "options" | "head">,
): Promise<ImportProblem | undefined> {
  if (!mapping.includes("url")) return importProblem("no_url_column");
  const long = options.heading ? head[0]?.findIndex((cell) => cell.length > headingCharsMax) : -1;
  if (long !== undefined && long >= 0) {
    return importProblem("heading_too_long", { column: long + 1, max: headingCharsMax });
  }
  return await findOptionProblem(scope, options);
}

export async function findOptionProblem(
  scope: WorkspaceScope,
  options: ImportRow["options"],
): Promise<ImportProblem | undefined> {
  const names = { tags: new Set<string>(), folders: new Map<string, string>() };
  const reader = { mapping: [], options, zone: scope.zone, names, hosts: new Set<string>() };
  const body = { ...bodyOf([], reader), url: placeholderUrl };
  const chosen = [options.otherDomain, ...Object.values(options.domains ?? {})];
  const others = new Set(chosen.flatMap((domain) => domain ?? []));
  const bodies: RowBody[] = [
    body,
    ...[...others].map((domain) => ({ domain, url: placeholderUrl })),
  ];
  const tried = await dryRunRows(scope, bodies, "generate");
  const at = tried.findIndex(({ ok }) => !ok);
  const failure = tried[at];
  return failure?.ok === false ? rowProblem(failure, bodies[at] ?? {}) : undefined;
}

async function findNotes(scope: WorkspaceScope, row: ImportRow): Promise<Preview["notes"]> {
  if (!(await turnsForwardingOn(scope, row))) return [];
  const { message, problem } = importProblem("dub_forwarding");
  return [{ message, ...problem }];
}

function findWarnings({ mapping, options, head }: ImportRow): Preview["warnings"] {
  const headings = options.heading ? head[0] : undefined;
  const at = findSlugColumn(headings, head.slice(options.heading ? 1 : 0), mapping);
  if (at === undefined) return [];
  const { message, problem } = importProblem("slug_unmapped", {
    column: headings?.[at] || `Column ${at + 1}`,
  });
  return [{ message, ...problem }];
}

export async function previewOf(scope: WorkspaceScope, row: ImportRow): Promise<Preview> {
  const blocking = await findObstacle(scope, row);
  const preview: Preview = {
    obstacle: blocking?.message ?? null,
    obstacleProblem: blocking?.problem ?? null,
    warnings: findWarnings(row),
    notes: await findNotes(scope, row),
    rows: [],
    problems: [],
    checked: 0,
    refused: [],
    creates: null,
    domains: [],
  };
  if (!row.mapping.includes("url")) return preview;
  const reader = await readerOf(scope, row);
  const refused: string[] = [];
  const named = new Map<string, number>();
  const taken = new Set<string>();
  for await (const rows of batchesOf(row, checkedRows)) {
    for (const { cells } of rows) count(named, domainIn(cells, row.mapping));
    const tried = await tryRows(scope, row, rows, reader, taken);
    const shown = tried.slice(0, Math.max(0, previewRows - preview.checked));
    preview.checked += tried.length;
    preview.rows.push(...shown.map(({ line, link }) => ({ line, link })));
    preview.problems.push(...shown.flatMap(problemOf));
    refused.push(...tried.flatMap((one) => one.problem?.code ?? []));
  }
  // Import it here: it loads Prisma, which the import process must not.
  const { describeDomains } = await import("./domains.ts");
  const domains = row.source?.domains.map(({ domain, links }) => [domain, links] as const) ?? named;
  return {
    ...preview,
    refused: countCodes(refused),
    creates: isCounted(scope, row, preview.checked) ? preview.checked - refused.length : null,
    domains: await describeDomains(scope, [...domains], reader.hosts),
  };
}

/** Rows that reuse a link create none, and we don’t know yet which rows those are. */
function isCounted(scope: WorkspaceScope, row: ImportRow, checked: number): boolean {
  const rows = row.records - (row.options.heading ? 1 : 0);
  return checked === rows && scope.reuseSeconds === null && !row.mapping.includes("reuse");
}

function count(counts: Map<string, number>, name: string | undefined): void {
  if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
}

function problemOf({ line, problem }: TriedRow): Preview["problems"] {
  return problem ? [{ line, ...problem }] : [];
}

function countCodes(codes: readonly string[]): Preview["refused"] {
  const counts = new Map<string, number>();
  for (const code of codes) count(counts, code);
  return [...counts]
    .map(([code, rows]) => ({ code, rows }))
    .sort((one, other) => other.rows - one.rows);
}

type TriedRow = Preview["rows"][number] & { problem?: Omit<Preview["problems"][number], "line"> };

async function tryRows(
  scope: WorkspaceScope,
  { options }: ImportRow,
  rows: readonly StoredRow[],
  reader: RowReader,
  taken: Set<string>,
): Promise<TriedRow[]> {
  const bodies = rows.map(({ cells }) => bodyOrRefusal(cells, reader));
  const coming = acceptedOf(bodies).map((body) => withoutNew(scope, body, reader));
  const accepted = coming.map(({ body }) => body);
  const trials = await dryRunRows(scope, accepted, options.onTakenKey, taken);
  const results = trials.map((trial, at) => ({ trial, tags: coming[at]?.tags ?? [] }));
  return withRefusals(bodies, results).map((result, at): TriedRow => {
    const { line, cells } = rows[at] ?? { line: 0, cells: [] };
    const trial = "trial" in result ? result.trial : result;
    if (!trial.ok) {
      const { message, problem } = rowProblem(trial, bodyOf(cells, reader));
      return { line, link: null, problem: { ...problem, message } };
    }
    const { body, domain, key, tags } = trial;
    const { url, title = null, folderId = null, expiresAt = null } = body;
    const all = "tags" in result ? [...tags, ...result.tags] : tags;
    return { line, link: { domain, key, url, title, tags: all, folderId, expiresAt } };
  });
}

/** Drops tags and folders that the import will create first, so that the body can be tried now. */
function withoutNew(
  scope: WorkspaceScope,
  body: RowBody,
  { names, options }: RowReader,
): { body: RowBody; tags: string[] } {
  if (options.onMissingName === "refuse") return { body, tags: [] };
  const tags = newTagsOf(scope, body, names);
  const { tagNames, folderId, ...rest } = body;
  const known = Array.isArray(tagNames) ? tagNames.filter((name) => !tags.includes(name)) : [];
  return {
    body: {
      ...rest,
      ...(known.length > 0 ? { tagNames: known } : {}),
      ...(folderId === undefined || newFolderOf(scope, body, names) ? {} : { folderId }),
    },
    tags,
  };
}

async function* batchesOf({ id, options }: ImportRow, max: number): AsyncGenerator<StoredRow[]> {
  let skipped = options.heading ? 1 : 0;
  let left = max;
  for await (const batch of readRows(id, 0)) {
    for (let at = skipped; at < batch.length && left > 0; at += triedAtOnce) {
      const rows = batch.slice(at, Math.min(at + triedAtOnce, at + left));
      left -= rows.length;
      yield rows;
    }
    skipped = 0;
    if (left <= 0) return;
  }
}
