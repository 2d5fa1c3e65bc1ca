/**
 * Access tokens and tickets, fetched once for all processes.
 *
 *     memory ──► Redis, sealed ──► lock ──► Redis again ──► WeChat ──► Redis
 *
 * The key has a digest of the AppSecret, so entering another account's AppID reveals none of its
 * tokens. A value is renewed while the old one still works: WeChat issues a new token in the last 5
 * minutes. Without Redis, each process fetches its own.
 */
import { createHash, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { defineScript, redis, redisKeys } from "#lib/platform/redis";
import { seal, unseal } from "#lib/platform/sealing";
import type { WechatResult } from "./failures.ts";

export interface WechatApp {
  appId: string;
  secret: string;
}

export interface Expiring {
  value: string;
  expiresAt: number;
}

const purpose = "wechat-tokens";
const renewBeforeMs = 270_000;
/** Longer than the calls made meanwhile. A ticket may need a second call with another token. */
const lockMs = { token: 15_000, ticket: 45_000 };
const afterLockMs = 1_000;
/** Visits need this much validity left, because a visitor's page uses the value some time later. */
const useMs = 60_000;
const waitStepMs = 50;
const memoryMax = 1_000;

const memory = new LRUCache<string, Expiring>({ max: memoryMax });
const pending = new Map<string, Promise<WechatResult<string>>>();

const unlock = defineScript<[string, string], number>({
  name: "wechatUnlock",
  lua: `if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call("DEL", KEYS[1]) end return 0`,
  keys: 1,
});

export interface SharedValue {
  name: "token" | "ticket";
  app: WechatApp;
  load: () => Promise<WechatResult<Expiring>>;
  refused: string | undefined;
}

export async function findShared(wanted: SharedValue): Promise<WechatResult<string>> {
  const { name, app, refused } = wanted;
  const key = redisKeys.wechat(name, digestOf(app));
  const known = validValue(memory.get(key), refused, renewBeforeMs);
  return known === undefined ? await fetchShared(wanted) : { ok: true, value: known };
}

/** Skips the memory of this process, for a job that keeps the value in Redis. */
export async function fetchShared(wanted: SharedValue): Promise<WechatResult<string>> {
  const { name, app, refused } = wanted;
  const key = redisKeys.wechat(name, digestOf(app));
  const flight = `${key} ${refused ?? ""}`;
  const started =
    pending.get(flight) ?? takeTurn(key, wanted).finally(() => pending.delete(flight));
  pending.set(flight, started);
  return await started;
}

/** For visits: never calls WeChat. */
export async function peekShared(
  name: SharedValue["name"],
  digest: string,
): Promise<string | undefined> {
  const key = redisKeys.wechat(name, digest);
  const known = validValue(memory.get(key), undefined, useMs);
  return known ?? validValue(await readEntry(key), undefined, useMs);
}

export function digestOf({ appId, secret }: WechatApp): string {
  // defence: wechat-token-of-secret
  return createHash("sha256").update(`${appId}\n${secret}`).digest("base64url");
}

function validValue(
  entry: Expiring | undefined,
  refused: string | undefined,
  marginMs: number,
): string | undefined {
  const isValid = entry && entry.value !== refused && entry.expiresAt - marginMs > Date.now();
  return isValid ? entry.value : undefined;
}

/** Waits for the process that fetches the value, or fetches it. */
async function takeTurn(key: string, wanted: SharedValue): Promise<WechatResult<string>> {
  const { name, refused } = wanted;
  const nonce = randomUUID();
  const endsAt = Date.now() + lockMs[name] + afterLockMs;
  while (Date.now() < endsAt) {
    const entry = await readEntry(key);
    const fresh = validValue(entry, refused, renewBeforeMs);
    if (fresh !== undefined) return { ok: true, value: fresh };
    if (await lock(key, nonce, lockMs[name])) {
      try {
        return await fetchEntry(key, wanted);
      } finally {
        await unlock(lockOf(key), nonce).catch(() => undefined);
      }
    }
    const usable = validValue(entry, refused, 0);
    if (usable !== undefined) return { ok: true, value: usable };
    await sleep(waitStepMs);
  }
  return await fetchEntry(key, wanted);
}

async function fetchEntry(
  key: string,
  { load, refused }: SharedValue,
): Promise<WechatResult<string>> {
  // Another process may have stored the value just before we took the lock.
  const stored = await readEntry(key);
  const fresh = validValue(stored, refused, renewBeforeMs);
  if (fresh !== undefined) return { ok: true, value: fresh };
  const known = stored ?? memory.get(key);
  const loaded = await load();
  if (loaded.ok) {
    await writeEntry(key, loaded.value);
    return { ok: true, value: loaded.value.value };
  }
  const usable = validValue(known, refused, 0);
  return usable === undefined ? loaded : { ok: true, value: usable };
}

function lockOf(key: string): string {
  return `${key}:lock`;
}

/** True without Redis, where nothing can be shared. */
async function lock(key: string, nonce: string, heldMs: number): Promise<boolean> {
  try {
    return (await redis().set(lockOf(key), nonce, "PX", heldMs, "NX")) !== null;
  } catch {
    return true;
  }
}

async function readEntry(key: string): Promise<Expiring | undefined> {
  try {
    const sealed = await redis().get(key);
    if (sealed === null) return undefined;
    const entry: Expiring = JSON.parse(
      unseal(purpose, Buffer.from(sealed, "base64"), key).toString(),
    );
    memory.set(key, entry);
    return entry;
  } catch {
    return undefined; // no Redis, or sealed with an old secret: it is fetched again
  }
}

async function writeEntry(key: string, entry: Expiring): Promise<void> {
  memory.set(key, entry);
  const sealed = seal(purpose, Buffer.from(JSON.stringify(entry)), key).toString("base64");
  const leftMs = Math.max(1, entry.expiresAt - Date.now());
  await redis()
    .set(key, sealed, "PX", leftMs)
    .catch(() => undefined);
}

/** For tests: forgets everything, like a process that has just started. */
export function forgetShared(): void {
  memory.clear();
}
