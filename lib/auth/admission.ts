/**
 * From the text of an API key to the scope that it opens.
 *
 * A request brings the key; its hash names an entry of a coherent cache, so a key that works costs no query, and a key
 * that was revoked, or whose owner was removed, is dropped from every process by the same invalidation. The end of a
 * key is compared at each use, because a cached entry does not know that time passes.
 */
import { hash } from "node:crypto";
import { CoherentCache } from "#lib/coherence";
import { addressSubject, tryLimit } from "#lib/limits";
import { keyEntry, scopeOfKey, type WorkspaceScope } from "#lib/workspaces";
import { loadKeys, writeKeyUses } from "./store.ts";
import { Uses } from "./uses.ts";

const cachedMax = 100_000;
const cachedAgeMaxMs = 60_000;
const rememberedMax = 10_000;

interface CachedKey {
  pk: number;
  /** 0: never */
  endsAt: number;
  scope: WorkspaceScope;
}

// Without a codec: what a key may do stays out of Redis.
const cached = new CoherentCache<CachedKey>({
  entriesMax: cachedMax,
  ageMaxMs: cachedAgeMaxMs,
  load: async (entries) => {
    const found = await loadKeys(entries.map((entry) => entry.slice(keyEntry("").length)));
    return new Map(
      found.map(({ hash: name, expiresAt, seat, grant }) => {
        const scope = scopeOfKey(seat, grant);
        const value = { pk: grant.pk, endsAt: expiresAt?.getTime() ?? 0, scope };
        return [keyEntry(name), { revision: 0, value }];
      }),
    );
  },
});

const uses = new Uses<number>(writeKeyUses);

/** SHA-256 of a key, in hexadecimal: all that is kept of it. */
export function hashKey(text: string): string {
  return hash("sha256", text, "hex");
}

function use(key: CachedKey | null | undefined, now: number): WorkspaceScope | undefined {
  if (!key || (key.endsAt > 0 && key.endsAt <= now)) return undefined;
  uses.note(key.pk, now);
  return key.scope;
}

/** The scope of a key; undefined for one that is unknown, revoked or over, or whose owner was removed. */
export async function scopeOfApiKey(
  text: string,
  now = Date.now(),
): Promise<WorkspaceScope | undefined> {
  return use(await cached.find(keyEntry(hashKey(text))), now);
}

export type Admission =
  | { ok: true; scope: WorkspaceScope }
  | { ok: false; code: "unknown" }
  | { ok: false; code: "too_many"; retryAfterSeconds: number };

/** Addresses that guessed too often, until when. Seen before the key is looked up. */
const guessers = new Map<string, number>();
/** Entries that were refused: a client that repeats one old key is not guessing. */
const refused = new Set<string>();

/**
 * Lets a caller in by key. A key that is in memory is never limited, because many callers may share an address; an
 * address from which too many different unknown keys came is refused before the look-up.
 */
export async function admitApiKey(
  text: string,
  address: string,
  now = Date.now(),
): Promise<Admission> {
  const entry = keyEntry(hashKey(text));
  // Without a promise of the cache's own: this runs before every call of the API.
  const known = use(cached.peek(entry, now), now);
  if (known) return { ok: true, scope: known };
  const subject = addressSubject(address);
  const blockedMs = (guessers.get(subject) ?? 0) - now;
  if (blockedMs > 0) return tooMany(blockedMs / 1_000);
  const scope = use(await cached.find(entry), now);
  return scope ? { ok: true, scope } : refuse(entry, subject, now);
}

async function refuse(entry: string, subject: string, now: number): Promise<Admission> {
  if (refused.has(entry)) return { ok: false, code: "unknown" };
  if (refused.size >= rememberedMax) refused.clear();
  refused.add(entry);
  const attempt = await tryLimit("unknownKeyPerAddress", subject, now);
  if (attempt.ok) return { ok: false, code: "unknown" };
  if (guessers.size >= rememberedMax) guessers.clear();
  guessers.set(subject, now + attempt.retryAfterSeconds * 1_000);
  return tooMany(attempt.retryAfterSeconds);
}

function tooMany(seconds: number): Admission {
  return { ok: false, code: "too_many", retryAfterSeconds: Math.ceil(seconds) };
}
