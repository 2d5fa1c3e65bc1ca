/**
 * Erasures outside of the database, where the restore of an older backup does not undo them: a line for each phone,
 * customer, contact or openid of WeChat, in a file for each month.
 *
 *     erasures/2026-11.jsonl    {"workspaceId":"ws_…","phone":"<keyed hash>","at":"2026-11-23T16:00:00.000Z"}
 *                               {"workspaceId":"ws_…","customer":"<keyed hash>","at":"2026-11-23T16:01:00.000Z"}
 *
 * The key of the hash is that of the workspace, which is in the backup and never changes. Files are only appended to, so
 * that several processes can write.
 */
import { mkdir, open, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { config } from "#lib/platform/config";

/** Older backups must not be restored any more. */
const erasureDays = 400;
const dayMs = 86_400_000;
const fileName = /^(\d{4}-\d{2})\.jsonl$/;
const monthDays = 31;

const hash = z.string().regex(/^[0-9a-f]+$/);
const at = z.iso.datetime();
const erasureShape = z.union([
  z.object({ workspaceId: z.string(), phone: hash, at }),
  z.object({ workspaceId: z.string(), customer: hash, at }),
  z.object({ workspaceId: z.string(), contact: hash, at }),
  z.object({ workspaceId: z.string(), wechat: hash, at }),
]);
export type Erasure = z.output<typeof erasureShape>;

function ownFolder(): string {
  return join(config().FUXI_DATA_DIR, "erasures");
}

/** Returns once it is on disk. */
export async function noteErasure(erasure: Erasure): Promise<void> {
  const folder = ownFolder();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = await open(join(folder, `${erasure.at.slice(0, 7)}.jsonl`), "a", 0o600);
  try {
    // What a crash has cut short stays on its own line.
    await file.appendFile(`\n${JSON.stringify(erasure)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The erasures in a folder since a moment, in their order. A line that a crash has cut short was of no commit. */
export async function listErasures(since: Date, folder = ownFolder()): Promise<Erasure[]> {
  const names = (await readdir(/* turbopackIgnore: true */ folder).catch(() => [])).filter((name) =>
    fileName.test(name),
  );
  const found: Erasure[] = [];
  for (const name of names.sort()) {
    const lines = (await readFile(join(folder, name), "utf8")).split("\n");
    found.push(...lines.flatMap(parseLine));
  }
  return found.filter((one) => Date.parse(one.at) >= since.getTime());
}

function parseLine(line: string): Erasure[] {
  try {
    return [erasureShape.parse(JSON.parse(line))];
  } catch {
    return []; // empty or cut short
  }
}

/** Adds the erasures of another folder to that of this instance, so that its next restore knows them too. */
export async function copyErasures(folder: string): Promise<void> {
  const own = new Set((await listErasures(new Date(0))).map((one) => JSON.stringify(one)));
  for (const one of await listErasures(new Date(0), folder)) {
    if (!own.has(JSON.stringify(one))) await noteErasure(one);
  }
}

/** Deletes files whose erasures are all too old. */
export async function removeOldErasures(now = Date.now()): Promise<void> {
  const folder = ownFolder();
  for (const name of await readdir(folder).catch(() => [])) {
    const [, month] = fileName.exec(name) ?? [];
    if (month === undefined) continue;
    const ageMs = now - Date.parse(`${month}-01T00:00:00Z`);
    if (ageMs > (erasureDays + monthDays) * dayMs) await rm(join(folder, name), { force: true });
  }
}
