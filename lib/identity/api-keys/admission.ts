/**
 * Keys are entries of a coherent cache by their hash, so valid ones cost no query and changed ones
 * are dropped everywhere. Expiration is checked at each use, because a cached entry does not
 * change.
 */
import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { atMost } from "#lib/basics/bounds";
import { compileNetworks, hasAddress, type Networks, normalizeAddress } from "#lib/basics/networks";
import { LastUses } from "#lib/platform/batches";
import { CoherentCache } from "#lib/platform/cache-sync";
import { addressSubject, type Network, tryLimit } from "#lib/platform/limits";
import { scopeOfKey, type WorkspaceScope } from "#lib/tenancy/access";
import { keyEntry } from "#lib/tenancy/key-changes";
import { loadKeys, writeKeyUses } from "./store.ts";

const cachedMax = 100_000;
const cachedAgeMaxMs = 60_000;
const addressesMax = 10_000;
export const lookUpsPerSecond = 10;

interface CachedKey {
  pk: number;
  endsAt: number; // 0: never
  /** Undefined: every address is accepted. */
  addresses: Networks | undefined;
  pending: boolean;
  paused: boolean;
  scope: WorkspaceScope;
}

// No codec, because permissions of keys stay out of Redis.
const cached = new CoherentCache<CachedKey>({
  entriesMax: () => cachedMax,
  ageMaxMs: cachedAgeMaxMs,
  replicas: "inOutage",
  load: async (entries, on) => {
    const found = await loadKeys(
      entries.map((entry) => entry.slice(keyEntry("").length)),
      on,
    );
    return new Map(
      found.map(({ hash: name, expiresAt, pendingApproval, allowedAddresses, ...key }) => {
        const value = {
          pk: key.grant.pk,
          endsAt: expiresAt?.getTime() ?? 0,
          addresses: allowedAddresses.length > 0 ? compileNetworks(allowedAddresses) : undefined,
          pending: pendingApproval,
          paused: key.paused,
          scope: scopeOfKey(key.membership, key.grant),
        };
        return [keyEntry(name), { revision: 0, value }];
      }),
    );
  },
});

const uses = new LastUses<number>(writeKeyUses);

export function hashKey(text: string): string {
  return hash("sha256", text, "hex");
}

export type Admission =
  | { ok: true; scope: WorkspaceScope }
  | { ok: false; code: "unknown" }
  | { ok: false; code: "address"; address: string; scope: WorkspaceScope }
  | { ok: false; code: "pending"; scope: WorkspaceScope }
  | { ok: false; code: "paused"; scope: WorkspaceScope }
  | { ok: false; code: "too_many"; retryAfterSeconds: number };

const unknown: Admission = { ok: false, code: "unknown" };

interface Guesser {
  until: number;
  second: number;
  lookUps: number;
}
const guessers = new LRUCache<string, Guesser>(atMost(addressesMax));
/** A client that repeats one old key is not guessing. */
const refused = new LRUCache<string, true>(atMost(addressesMax));
/** Callers of accepted keys are not guessing, whatever others behind the address do. */
const accepted = new LRUCache<string, true>(atMost(cachedMax));

export function admitKnownKey(
  text: string,
  address: string,
  now = Date.now(),
): WorkspaceScope | undefined {
  const key = cached.peek(keyEntry(hashKey(text)), now);
  const admission = key ? admitKey(key, address, now) : unknown;
  return admission.ok ? admission.scope : undefined;
}

/** Limits guessing per address, without affecting keys that are cached or were accepted before. */
export async function admitApiKey(
  text: string,
  address: string,
  now = Date.now(),
): Promise<Admission> {
  const entry = keyEntry(hashKey(text));
  // Synchronous, because this runs before every API call.
  const cachedKey = cached.peek(entry, now);
  if (cachedKey) return admitKey(cachedKey, address, now);
  const subject = addressSubject(address);
  const guesser = guessers.get(subject);
  // defence: api-key-guessing
  if (guesser && now < guesser.until && !accepted.has(entry) && !mayLookUp(guesser, now)) {
    return { ok: false, code: "too_many", retryAfterSeconds: 1 };
  }
  const key = await cached.find(entry);
  const admission = key ? admitKey(key, address, now) : unknown;
  if (!key || admission === unknown) return await refuse(entry, subject, now);
  accepted.set(entry, true);
  return admission;
}

function admitKey(key: CachedKey, address: string, now: number): Admission {
  // defence: api-key-ends
  if (key.endsAt > 0 && key.endsAt <= now) return unknown;
  // defence: api-key-networks
  if (key.addresses && !hasAddress(key.addresses, address)) {
    return { ok: false, code: "address", address: normalizeAddress(address), scope: key.scope };
  }
  // defence: pending-key
  if (key.pending) return { ok: false, code: "pending", scope: key.scope };
  // defence: paused-key
  if (key.paused) return { ok: false, code: "paused", scope: key.scope };
  uses.note(key.pk, now);
  return { ok: true, scope: key.scope };
}

function mayLookUp(guesser: Guesser, now: number): boolean {
  const second = Math.floor(now / 1_000);
  if (guesser.second !== second) {
    guesser.second = second;
    guesser.lookUps = 0;
  }
  guesser.lookUps += 1;
  return guesser.lookUps <= lookUpsPerSecond;
}

async function refuse(entry: string, subject: Network, now: number): Promise<Admission> {
  accepted.delete(entry);
  const blockedMs = (guessers.get(subject)?.until ?? 0) - now;
  if (blockedMs > 0) return tooMany(blockedMs / 1_000);
  if (refused.has(entry)) return unknown;
  refused.set(entry, true);
  const attempt = await tryLimit("unknownKeyPerAddress", subject, now);
  if (attempt.ok) return unknown;
  guessers.set(subject, { until: now + attempt.retryAfterSeconds * 1_000, second: 0, lookUps: 0 });
  return tooMany(attempt.retryAfterSeconds);
}

function tooMany(seconds: number): Admission {
  return { ok: false, code: "too_many", retryAfterSeconds: Math.ceil(seconds) };
}
