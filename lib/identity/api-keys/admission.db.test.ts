import { createHash } from "node:crypto";
import { beforeAll, expect, test, vi } from "vitest";
import { publishChanges } from "#lib/platform/cache-sync";
import { limits } from "#lib/platform/limits";
import { pool } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { keyEntry } from "#lib/tenancy/key-changes";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { admitApiKey, lookUpsPerSecond } from "./admission.ts";
import { createApiKey } from "./index.ts";

openTestStores();

let scope: WorkspaceScope;

beforeAll(async () => {
  scope = await makeTestScope("ada");
});

test("an address that tries too many unknown keys is refused without a lookup", async () => {
  const address = "203.0.113.99";
  for (let tries = 0; tries < limits.unknownKeyPerAddress.max; tries++) {
    expect(await admitApiKey(`guess ${tries}`, address)).toEqual({ ok: false, code: "unknown" });
    expect(await admitApiKey("guess 0", address)).toEqual({ ok: false, code: "unknown" });
  }
  expect(await admitApiKey("guess more", address)).toMatchObject({ code: "too_many" });
  const queries = vi.spyOn(pool(), "query");
  const now = Date.now();
  for (let tries = 0; tries < 50; tries++) {
    const answer = await admitApiKey(`flood ${tries}`, address, now);
    expect(answer).toMatchObject({ code: "too_many" });
  }
  expect(queries).toHaveBeenCalledTimes(lookUpsPerSecond);
  queries.mockRestore();
});

test("a valid key is admitted although other clients behind its address guess", async () => {
  const { key: cached } = await createApiKey(scope, { name: "Cached" });
  const { key: fresh } = await createApiKey(scope, { name: "Fresh" });
  const address = "203.0.113.98";
  const now = Date.now();
  expect((await admitApiKey(cached, address, now)).ok).toBe(true);
  for (let tries = 0; tries <= limits.unknownKeyPerAddress.max; tries++) {
    await admitApiKey(`other guess ${tries}`, address, now);
  }
  expect(await admitApiKey("another guess", address, now)).toMatchObject({ code: "too_many" });
  expect((await admitApiKey(fresh, address, now)).ok).toBe(true);
  // The address has used up its lookups, and the cache has evicted a key.
  for (let tries = 0; tries < 2 * lookUpsPerSecond; tries++) {
    await admitApiKey(`flood ${tries}`, address, now);
  }
  invalidateAll([cached]);
  expect((await admitApiKey(cached, address, now)).ok).toBe(true);
});

/** What happens to an expired entry. */
function invalidateAll(keys: string[]): void {
  void publishChanges(keys.map((key) => ({ entry: keyEntry(sha256(key)), revision: 1 })));
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

test.each([
  [["203.0.113.7"], "203.0.113.7", true],
  [["203.0.113.7"], "::ffff:203.0.113.7", true],
  [["203.0.113.7"], "203.0.113.8", false],
  [["203.0.113.0/24"], "203.0.113.255", true],
  [["203.0.113.0/24"], "203.0.114.0", false],
  [["203.0.113.77/24"], "203.0.113.1", true],
  [["2001:db8::/32"], "2001:db8:ffff::1", true],
  [["2001:db8::/32"], "2001:db9::1", false],
  [["2001:DB8:0:0::1"], "2001:db8::1", true],
  [["fe80::/10"], "fe80::1%eth0", true],
  [["203.0.113.7", "2001:db8::/32"], "2001:db8::5", true],
  [["0.0.0.0/0"], "2001:db8::5", false],
  [["::/0"], "203.0.113.7", true],
  [[], "203.0.113.7", true],
])("a key for %j called from %s is admitted: %s", async (allowedAddresses, address, ok) => {
  const { key } = await createApiKey(scope, { name: "Zapier", allowedAddresses });
  const plain = address.replace("::ffff:", "").replace("%eth0", "");
  const expected = ok ? { ok: true } : { ok: false, code: "address", address: plain };
  expect(await admitApiKey(key, address)).toMatchObject(expected);
  // The second time it is cached.
  expect(await admitApiKey(key, address)).toMatchObject(expected);
});
