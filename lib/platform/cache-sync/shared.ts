/**
 * Entries in Redis that every process shares. A value is `<revision> <payload>`; an empty payload
 * means missing.
 *
 * A write never replaces a newer revision. A deletion leaves a tombstone (revision, empty payload)
 * for `tombstoneSeconds`, so that a fill that read the old row cannot restore it; slower fills have
 * timed out by then. A missing row is written with NX only and lives for half a second, because a
 * new link must be seen within one.
 */
import { withTimeout } from "#lib/basics/bounds";
import { defineScript, redis } from "#lib/platform/redis";

const entrySeconds = 3_600;
const tombstoneSeconds = 60;
const missingMs = 500;
const answerMaxMs = 150;

/** KEYS: entries. ARGV: revision, payload and seconds of each. */
const putScript = `
for at, key in ipairs(KEYS) do
  local revision, payload, seconds = ARGV[at * 3 - 2], ARGV[at * 3 - 1], ARGV[at * 3]
  local current = redis.call('GET', key)
  if not current or tonumber(string.match(current, '^%d+')) <= tonumber(revision) then
    redis.call('SET', key, revision .. ' ' .. payload, 'EX', seconds)
  end
end`;

export interface SharedEntry {
  revision: number;
  payload: string | undefined; // undefined: known to be missing
}

const put = defineScript<[entries: number, ...keysAndValues: (string | number)[]], unknown>({
  name: "coherencePut",
  purpose: "cache",
  lua: putScript,
});

interface PendingRead {
  entry: string;
  resolve: (pendingFills: SharedEntry | undefined) => void;
  reject: (error: unknown) => void;
}

let pendingReads: PendingRead[] = [];

/** Reads in one turn of the event loop share a command, which halves the cost (bench/redirect). */
export function findShared(entry: string): Promise<SharedEntry | undefined> {
  return new Promise((resolve, reject) => {
    if (pendingReads.push({ entry, resolve, reject }) === 1) setImmediate(() => void readPending());
  });
}

async function readPending(): Promise<void> {
  const now = pendingReads;
  pendingReads = [];
  try {
    const texts = await withTimeout(answerMaxMs, () => readTexts(now.map(({ entry }) => entry)));
    for (const [at, { resolve }] of now.entries()) resolve(parseShared(texts[at] ?? null));
  } catch (error) {
    for (const { reject } of now) reject(error);
  }
}

/** In a Cluster, entries are on many servers, so each is read on its own. */
function readTexts(entries: string[]): Promise<(string | null)[]> {
  const shared = redis("cache");
  return shared.isCluster
    ? Promise.all(entries.map((entry) => shared.get(entry)))
    : shared.mget(entries);
}

/** Whether Redis forgets an entry within this time. */
export async function endsWithin(entry: string, ms: number): Promise<boolean> {
  const leftMs = await redis("cache").pttl(entry);
  return leftMs >= 0 && leftMs < ms;
}

function parseShared(text: string | null): SharedEntry | undefined {
  if (text === null) return undefined;
  const space = text.indexOf(" ");
  const revision = Number(text.slice(0, space));
  const payload = text.slice(space + 1);
  if (payload === "" && revision > 0) return undefined;
  return { revision, payload: payload === "" ? undefined : payload };
}

interface PendingPut {
  entry: string;
  revision: number;
  payload: string;
  seconds: number;
}

/** Bounded, because Redis answers no other client during a script. */
export const putAtOnce = 200;

/** Writes each value unless a newer one exists, in a Cluster one by one. */
async function putEach(puts: readonly PendingPut[]): Promise<void> {
  const size = redis("cache").isCluster ? 1 : putAtOnce;
  const calls: Promise<unknown>[] = [];
  for (let at = 0; at < puts.length; at += size) {
    const batch = puts.slice(at, at + size);
    calls.push(
      put(
        batch.length,
        ...batch.map(({ entry }) => entry),
        ...batch.flatMap(({ revision, payload, seconds }) => [revision, payload, seconds]),
      ),
    );
  }
  await Promise.all(calls);
}

export interface SharedChange {
  entry: string;
  revision: number;
  /** undefined: drop the value, so that the next lookup queries Postgres */
  payload: string | undefined;
}

export async function changeShared(changes: readonly SharedChange[]): Promise<void> {
  await putEach(
    changes.map(({ entry, revision, payload }) => ({
      entry,
      revision,
      payload: payload ?? "",
      seconds: payload === undefined ? tombstoneSeconds : entrySeconds,
    })),
  );
}

let pendingFills: PendingPut[] = [];
/** No visitor waits for a fill, and one command for several is cheaper. */
const fillAfterMs = 5;

export function fillShared(entry: string, revision: number, payload: string): void {
  if (pendingFills.push({ entry, revision, payload, seconds: entrySeconds }) > 1) return;
  setTimeout(() => {
    const puts = pendingFills;
    pendingFills = [];
    putEach(puts).catch(() => undefined);
  }, fillAfterMs).unref();
}

/** Records briefly that a row does not exist, unless a value is known. */
export async function putMissing(entry: string): Promise<void> {
  await redis("cache").set(entry, "0 ", "PX", missingMs, "NX");
}
