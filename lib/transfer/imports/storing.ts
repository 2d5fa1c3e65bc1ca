/** Stores a file as an import that can be reviewed: an uploaded one, or what was read from another system. */

import { newId } from "#lib/basics/ids";
import { config } from "#lib/platform/config";
import type { AppError } from "#lib/platform/errors";
import { discardFile } from "#lib/platform/files";
import { type Connection, transaction } from "#lib/platform/postgres";
import { type ReceivedTable, tableError } from "#lib/platform/tables";
import { lockWorkspace, type WorkspaceScope } from "#lib/tenancy/access";
import { guessMapping, hasHeading, withoutIds } from "./fields.ts";
import { fileOf } from "./file.ts";
import { maskHead } from "./passwords.ts";
import { importError } from "./problems.ts";
import {
  type ImportSource,
  importsMax,
  keptBytesMax,
  type Upload,
  usualOptions,
} from "./schema.ts";
import { countStored, findRow, type ImportRow, insertRow, sumStoredBytes } from "./store.ts";
import { assertBytes, receiveFile, sumReceivingBytes } from "./upload.ts";

const gigabyte = 1_073_741_824;
/** Files expire after days, or when the import is deleted. */
const fullRetrySeconds = 3_600;

type Body = ReadableStream<Uint8Array> | null;

interface NewFile extends Upload {
  userPk: number;
  /** The length announced by the client. */
  declaredBytes: number;
  /** Of the client, which may leave. */
  signal?: AbortSignal | undefined;
}

/** An uploaded file. Throws when it is not accepted. */
export async function storeFile(
  scope: WorkspaceScope,
  body: Body,
  file: NewFile,
): Promise<ImportRow> {
  return await store(scope, body, { ...file, id: newId("imp"), source: null });
}

/** What was read from another system. Safe to run twice: the id is that of the import. */
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
    const settings = settingsOf(uploaded);
    return await transaction(async (tx) => {
      // Concurrent uploads wait for each other here, so that the limit holds.
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

/** For one more file of this many bytes. */
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

/** Files that are being received count with what they will have, so that together they cannot pass the limit. */
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

/** The probable fields of the columns. */
function settingsOf({ head, records, width, format }: ReceivedTable) {
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
  return { mapping, options: { ...usualOptions, heading } };
}
