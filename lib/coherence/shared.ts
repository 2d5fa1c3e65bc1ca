/**
 * Entries in Redis that every process shares. Layout of a value:
 *
 *     <revision in decimal> <space> <payload>      a known value; an empty payload: known to be missing
 *
 * No write ever replaces a newer revision. A deletion leaves a tombstone (revision, empty payload) for
 * `tombstoneSeconds`, so that a fill that read the old row before the change cannot bring it back; a fill that takes
 * longer than that has long timed out. A missing row is filled with NX only and lives for half a second, because a
 * new link must be seen within one.
 */
import { type RedisClient, redis } from "#lib/redis";
import { within } from "./within.ts";

const entrySeconds = 3_600;
const tombstoneSeconds = 60;
const missingMs = 500;
/** A visitor waits no longer than this for Redis. */
const answerMaxMs = 150;

const putScript = `
local current = redis.call('GET', KEYS[1])
if current and tonumber(string.match(current, '^%d+')) > tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. ARGV[2], 'EX', ARGV[3])
return 1`;

export interface SharedEntry {
  revision: number;
  /** undefined: known to be missing */
  payload: string | undefined;
}

const prepared = new WeakSet<RedisClient>();

interface WithPut {
  coherencePut(key: string, revision: number, payload: string, seconds: number): Promise<number>;
}

interface Pipeline {
  coherencePut(key: string, revision: number, payload: string, seconds: number): unknown;
  exec(): Promise<unknown>;
}

/** Sound because the command is defined on the client before it is returned. */
function client(): RedisClient & WithPut {
  const shared = redis();
  if (!prepared.has(shared)) {
    shared.defineCommand("coherencePut", { numberOfKeys: 1, lua: putScript });
    prepared.add(shared);
  }
  return shared as RedisClient & WithPut;
}

interface Asked {
  entry: string;
  resolve: (found: SharedEntry | undefined) => void;
  reject: (error: unknown) => void;
}

let asked: Asked[] = [];

/**
 * What Redis knows, or undefined. A tombstone counts as unknown: Postgres is asked until it is gone.
 *
 * Whoever asks in the same turn of the event loop asks together: a command of its own for each entry costs half of what
 * a visit costs that memory cannot answer (bench/redirect).
 */
export function findShared(entry: string): Promise<SharedEntry | undefined> {
  return new Promise((resolve, reject) => {
    if (asked.push({ entry, resolve, reject }) === 1) setImmediate(() => void answerAsked());
  });
}

async function answerAsked(): Promise<void> {
  const now = asked;
  asked = [];
  try {
    const texts = await within(answerMaxMs, readTexts(now.map(({ entry }) => entry)));
    for (const [at, { resolve }] of now.entries()) resolve(parseShared(texts[at] ?? null));
  } catch (error) {
    for (const { reject } of now) reject(error);
  }
}

/** The entries of a Cluster live on many servers, of which none would answer for all. */
function readTexts(entries: string[]): Promise<(string | null)[]> {
  const shared = redis();
  return shared.isCluster
    ? Promise.all(entries.map((entry) => shared.get(entry)))
    : shared.mget(entries);
}

function parseShared(text: string | null): SharedEntry | undefined {
  if (text === null) return undefined;
  const space = text.indexOf(" ");
  const revision = Number(text.slice(0, space));
  const payload = text.slice(space + 1);
  if (payload === "" && revision > 0) return undefined;
  return { revision, payload: payload === "" ? undefined : payload };
}

/** Keeps a value unless a newer one is known. */
export async function putShared(entry: string, revision: number, payload: string): Promise<void> {
  await client().coherencePut(entry, revision, payload, entrySeconds);
}

/** Keeps several values in one write to the server; those of a Cluster live on many servers. */
export async function putAllShared(
  entries: ReadonlyMap<string, string>,
  revision: number,
): Promise<void> {
  const shared = client();
  if (shared.isCluster) {
    await Promise.all([...entries].map(([entry, payload]) => putShared(entry, revision, payload)));
    return;
  }
  const pipeline = pipelineOf(shared);
  for (const [entry, payload] of entries) {
    pipeline.coherencePut(entry, revision, payload, entrySeconds);
  }
  await pipeline.exec();
}

/** Sound because a pipeline has every command that was defined on its client. */
function pipelineOf(shared: RedisClient & WithPut): Pipeline {
  return shared.pipeline() as unknown as Pipeline;
}

/** Forgets a value that a change of this revision made old. */
export async function dropShared(entry: string, revision: number): Promise<void> {
  await client().coherencePut(entry, revision, "", tombstoneSeconds);
}

/** Remembers for a moment that there is no such row, unless anything is known. */
export async function putMissing(entry: string): Promise<void> {
  await redis().set(entry, "0 ", "PX", missingMs, "NX");
}
