/**
 * Erasures outside of the database, so that restoring an older backup does not undo them: a line
 * per phone, customer, contact or WeChat openid, in a file per month.
 *
 *     erasures/2026-11.jsonl    {"workspaceId":"ws_…","phone":"<keyed hash>","at":"2026-11-23T16:00:00.000Z"}
 *
 * The hash uses the workspace's key, which is in the backup and never changes. Files are only
 * appended to, so several processes can write. In a store where files cannot change, each erasure
 * is its own file: `erasures/2026-11.<any>.jsonl`.
 */
import { randomUUID } from "node:crypto";
import { open, readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";
import { dayMs } from "#lib/basics/time/schema";
import { bytesOf, files } from "#lib/platform/files";

/** Backups older than this must not be restored. */
const erasureDays = 400;
const fileName = /^(\d{4}-\d{2})(?:\.[\w-]+)?\.jsonl$/;
const ownFolder = "erasures";
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

export async function noteErasure(erasure: Erasure): Promise<void> {
  const month = erasure.at.slice(0, 7);
  // A line cut short by a crash must not swallow this one.
  const text = `\n${JSON.stringify(erasure)}\n`;
  if (files().changesInPlace) await append(`${ownFolder}/${month}.jsonl`, text);
  else {
    const name = `${ownFolder}/${month}.${randomUUID()}.jsonl`;
    await files().write(name, (add) => add(Buffer.from(text)));
  }
}

async function append(name: string, text: string): Promise<void> {
  const file = await open(await files().scratch(name), "a", 0o600);
  try {
    await file.appendFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Skips lines cut short by a crash, because their erasure was not committed. */
export async function listErasures(since: Date): Promise<Erasure[]> {
  const texts: string[] = [];
  for await (const { name } of files().list(ownFolder)) {
    if (fileName.test(basename(name))) texts.push(await textOf(name));
  }
  return erasuresIn(texts, since);
}

async function textOf(name: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytesOf(await files().open(name))) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

async function listCopied(folder: string): Promise<Erasure[]> {
  const names = await readdir(/* turbopackIgnore: true */ folder);
  const found = names.filter((name) => fileName.test(name));
  const texts = await Promise.all(found.map((name) => readFile(join(folder, name), "utf8")));
  return erasuresIn(texts, new Date(0));
}

function erasuresIn(texts: readonly string[], since: Date): Erasure[] {
  return texts
    .flatMap((text) => text.split("\n").flatMap(parseLine))
    .filter((one) => Date.parse(one.at) >= since.getTime())
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function parseLine(line: string): Erasure[] {
  try {
    return [erasureShape.parse(JSON.parse(line))];
  } catch {
    return []; // empty or cut short
  }
}

/** Adds another folder's erasures to this instance, so that its next restore knows them too. */
export async function copyErasures(folder: string): Promise<void> {
  const own = new Set((await listErasures(new Date(0))).map((one) => JSON.stringify(one)));
  for (const one of await listCopied(folder)) {
    if (!own.has(JSON.stringify(one))) await noteErasure(one);
  }
}

export async function removeOldErasures(now = Date.now()): Promise<void> {
  for await (const { name } of files().list(ownFolder)) {
    const [, month] = fileName.exec(basename(name)) ?? [];
    if (month === undefined) continue;
    const ageMs = now - Date.parse(`${month}-01T00:00:00Z`);
    if (ageMs > (erasureDays + monthDays) * dayMs) await files().remove(name);
  }
}
