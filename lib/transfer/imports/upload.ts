/** Receives the file of an import, and counts what is being received. */
import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { newId } from "#lib/basics/ids";
import { findDomain } from "#lib/links/hosts";
import { config } from "#lib/platform/config";
import type { AppError } from "#lib/platform/errors";
import { discardFile, files } from "#lib/platform/files";
import type { Sender } from "#lib/platform/parsers";
import { type Connection, transaction } from "#lib/platform/postgres";
import { type ReceivedTable, receiveTable, tableError } from "#lib/platform/tables";
import { lockWorkspace, type WorkspaceScope } from "#lib/tenancy/access";
import { guessMapping, hasHeading, jsonNames, withoutIds } from "./fields.ts";
import { fileOf, isMissing } from "./file.ts";
import { maskHead } from "./passwords.ts";
import { importError } from "./problems.ts";
import {
  bytesMax,
  type ImportSource,
  importsMax,
  keptBytesMax,
  type Upload,
  usualOptions,
} from "./schema.ts";
import { countStored, findRow, type ImportRow, insertRow, sumStoredBytes } from "./store.ts";

const megabyte = 1_048_576;

const rules = { records: { wholeNames: jsonNames } };

/** Refuses a file whose announced length is too large, before it is sent. */
function assertBytes(declared: number): void {
  if (declared > bytesMax) {
    throw tableError("file_too_large", { megabytes: bytesMax / megabyte });
  }
}

interface Reception {
  delimiter: string | undefined;
  declaredBytes: number;
  /** Throws if the files of this instance, including those being received, are too large. */
  assertRoom: () => Promise<void>;
  sender: Sender;
  /** For tests, which cannot all send 2 GB. */
  bytesAllowed?: number;
}

/** Stores a file under an id. Throws if the file is not accepted, and then leaves nothing. */
export async function receiveFile(
  id: string,
  body: ReadableStream<Uint8Array>,
  { bytesAllowed = bytesMax, ...reception }: Reception,
): Promise<ReceivedTable> {
  const name = fileOf(id);
  return await receiveTable(body, {
    ...reception,
    path: await files().scratch(name),
    store: (path) => files().adopt(path, name),
    bytesMax: bytesAllowed,
    rules,
    hasHeading,
  });
}

/** Total length of files that any process with this data folder is receiving. */
export async function sumReceivingBytes(): Promise<number> {
  const folder = dirname(await files().scratch(fileOf("any")));
  const names = await readdir(folder).catch(asMissing);
  const sizes = (names ?? [])
    .filter((name) => name.endsWith(".raw"))
    .map(async (name) => (await stat(join(folder, name)).catch(asMissing))?.size ?? 0);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

function asMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

const gigabyte = 1_073_741_824;
/** An hour, because files only expire after days, or when the import is deleted. */
const fullRetrySeconds = 3_600;

type Body = ReadableStream<Uint8Array> | null;

interface NewFile extends Upload {
  userPk: number;
  declaredBytes: number;
  signal?: AbortSignal | undefined;
}

/** Throws if the uploaded file is not accepted. */
export async function storeFile(
  scope: WorkspaceScope,
  body: Body,
  file: NewFile,
): Promise<ImportRow> {
  return await store(scope, body, { ...file, id: newId("imp"), source: null });
}

/** Safe to run twice, because the import gets the given id. */
export async function storeSource(
  scope: WorkspaceScope,
  body: Body,
  source: { id: string; userPk: number; name: string; source: ImportSource },
): Promise<void> {
  if (await findRow(scope.workspacePk, source.id)) return;
  await store(scope, body, { ...source, delimiter: ",", declaredBytes: 0 });
}

interface Storing extends NewFile {
  id: string;
  source: ImportSource | null;
}

async function store(
  scope: WorkspaceScope,
  body: Body,
  { id, userPk, name, source, delimiter, declaredBytes, signal }: Storing,
): Promise<ImportRow> {
  assertBytes(declaredBytes);
  await assertRoom(scope, declaredBytes);
  if (!body) throw emptyFile();
  const uploaded = await receiveFile(id, body, {
    delimiter,
    declaredBytes,
    assertRoom: () => assertInstanceRoom(0),
    sender: { workspaceId: scope.workspaceId, signal },
  });
  try {
    const settings = settingsOf(uploaded, await findDomain(scope, undefined));
    return await transaction(async (tx) => {
      await lockWorkspace(tx, scope.workspacePk);
      await assertRoom(scope, uploaded.bytes, tx);
      return await insertRow(tx, scope, {
        id,
        userPk,
        name: name || "import.csv",
        source,
        ...uploaded,
        ...settings,
        head: maskHead({ ...uploaded, ...settings }),
      });
    });
  } catch (error) {
    await discardFile(fileOf(id));
    throw error;
  }
}

async function assertRoom(
  { workspacePk }: WorkspaceScope,
  more: number,
  tx?: Connection,
): Promise<void> {
  const { imports, bytes } = await countStored(workspacePk, tx);
  if (imports >= importsMax || bytes + more > keptBytesMax) {
    const gigabytes = keptBytesMax / gigabyte;
    throw importError("no_room", { imports: importsMax, gigabytes }, "conflict");
  }
  await assertInstanceRoom(more, tx);
}

/** Files being received count too, so that together they cannot pass the limit. */
async function assertInstanceRoom(more: number, tx?: Connection): Promise<void> {
  const gigabytes = config().FUXI_IMPORTS_GB_MAX;
  // defence: receiving-imports-count
  const bytes = (await sumStoredBytes(tx)) + (await sumReceivingBytes()) + more;
  // defence: import-disk-limit
  if (bytes <= gigabytes * gigabyte) return;
  throw importError("instance_full", { gigabytes }, "service_unavailable", fullRetrySeconds);
}

function emptyFile(): AppError {
  return tableError("file_empty");
}

function settingsOf(
  { head, records, width, format }: ReceivedTable,
  usual: { slug: string } | undefined,
) {
  const [first] = head;
  if (!first) throw emptyFile();
  const heading = hasHeading(first);
  if (heading && records === 1) {
    throw importError("file_of_heading");
  }
  const guessed = heading
    ? guessMapping(first, head.slice(1), width)
    : guessMapping(undefined, head, width);
  const mapping = format === "json" ? withoutIds(guessed, first) : guessed;
  return { mapping, options: { ...usualOptions, heading, otherDomain: usual?.slug ?? null } };
}
