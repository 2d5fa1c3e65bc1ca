/** The results of an import as a file: the uploaded columns, followed by the link or the reason. */

import { csvLine, utf8Mark } from "#lib/platform/downloads";
import { AppError } from "#lib/platform/errors";
import type { StoredRow } from "#lib/platform/tables";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { listChunks, listRefusedChunks, readOutcomes, type StoredOutcome } from "./chunks.ts";
import { readRows } from "./file.ts";
import { maskCells, passwordColumns } from "./passwords.ts";
import type { ListRefused, RefusedRow, ResultsQuery } from "./schema.ts";
import { getRow, type ImportRow } from "./store.ts";

const chunksAtOnce = 20;
const ownColumns = ["Short link", "Link ID", "Line", "Outcome", "Reason"];

export interface ResultsFile {
  name: string;
  type: string;
  send: (write: (bytes: Uint8Array) => Promise<void>) => Promise<void>;
}

/** The results of an import of this workspace, as far as it ran. Throws not_found. */
export async function openResults(
  scope: WorkspaceScope,
  id: string,
  { only }: ResultsQuery,
): Promise<ResultsFile> {
  assertMay(scope, "links.read");
  const row = await getRow(scope, id);
  if (row.state === "ready") {
    throw new AppError("conflict", "This import hasn’t been started, so it has no results yet.");
  }
  const part = only === "failed" ? "failed-" : "";
  return {
    name: `fuxi-import-${part}${row.created_at.toISOString().slice(0, 10)}.csv`,
    type: "text/csv; charset=utf-8",
    send: (write) => send(row, only, write),
  };
}

export async function listRefusedRows(
  scope: WorkspaceScope,
  id: string,
  { page, pageSize }: ListRefused,
): Promise<RefusedRow[]> {
  assertMay(scope, "links.read");
  const row = await getRow(scope, id);
  const found: RefusedRow[] = [];
  let skip = (page - 1) * pageSize;
  for (const { firstRow, refused } of await listRefusedChunks(row.id)) {
    if (refused <= skip) {
      skip -= refused;
      continue;
    }
    const [chunk] = await listChunks(row.id, firstRow, 1);
    if (!chunk) break;
    const rows = (await readOutcomes(chunk)).flatMap((outcome, at) =>
      outcome.length === 2 ? [] : [refusedRowOf(outcome, firstRow + at + 1)],
    );
    found.push(...rows.slice(skip, skip + pageSize - found.length));
    skip = 0;
    if (found.length >= pageSize) break;
  }
  return found;
}

type Refusal = Exclude<StoredOutcome, [string, string]>;

/** Imports of an earlier version stored only the number of the row. */
function refusedRowOf([code, message, , params = {}, line, cells = []]: Refusal, row: number) {
  return { line: line ?? row, code, params, message, cells };
}

async function send(
  row: ImportRow,
  only: ResultsQuery["only"],
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<void> {
  const names = Array.from(
    { length: row.width },
    (_, at) => (row.options.heading && row.head[0]?.[at]) || `Column ${at + 1}`,
  );
  await write(Buffer.from(utf8Mark + csvLine([...names, ...ownColumns])));
  // defence: result-passwords-masked
  const secret = passwordColumns(row);
  const outcomes = storedOutcomes(row.id);
  let skipped = row.options.heading ? 1 : 0;
  for await (const rows of readRows(row.id, 0)) {
    let text = "";
    for (const one of rows.slice(skipped)) {
      const { value: outcome } = await outcomes.next();
      const isMade = outcome?.length === 2;
      const shown = { ...one, cells: maskCells(one.cells, secret) };
      if (only === "all" || !isMade) text += lineOf(shown, row.width, outcome);
    }
    skipped = 0;
    if (text !== "") await write(Buffer.from(text));
  }
}

async function* storedOutcomes(id: string): AsyncGenerator<StoredOutcome, undefined> {
  for (let from = 0; ; ) {
    const chunks = await listChunks(id, from, chunksAtOnce);
    for (const chunk of chunks) {
      yield* await readOutcomes(chunk);
      from = chunk.firstRow + chunk.rows;
    }
    if (chunks.length < chunksAtOnce) return undefined;
  }
}

function lineOf(
  { line, cells }: StoredRow,
  width: number,
  outcome: StoredOutcome | undefined,
): string {
  const padded = Array.from({ length: width }, (_, at) => cells[at] ?? "");
  if (!outcome) return csvLine([...padded, "", "", line, "not done", ""]);
  const [first, second] = outcome;
  return outcome.length === 2
    ? csvLine([...padded, second, first, line, "made", ""])
    : csvLine([...padded, "", "", line, "refused", second]);
}
