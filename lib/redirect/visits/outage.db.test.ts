import { expect, test, vi } from "vitest";
import { CoherentCache, channel } from "#lib/platform/cache-sync";
import { query, sql, transaction } from "#lib/platform/postgres";
import { redis, redisKeys } from "#lib/platform/redis";
import { openTestVisits } from "../../../test/redirect-server.ts";
import { openTestStores } from "../../../test/stores.ts";

openTestStores();
const { ask, make } = openTestVisits("outage");

const url = "https://example.com/secret-place";

const heard = new CoherentCache<string>({
  entriesMax: () => 10,
  ageMaxMs: 60_000,
  load: (entries) =>
    Promise.resolve(new Map(entries.map((entry) => [entry, { value: entry, revision: 1 }]))),
});

/** Until this process has received every change; a later one would drop what visits keep in memory. */
async function untilReceived(): Promise<void> {
  await expect.poll(() => query(sql`SELECT entry FROM cache_change`)).toEqual([]);
  await heard.find("outage");
  // Messages arrive in the order in which they were sent, once this process listens.
  await expect
    .poll(async () => {
      await redis("cache").publish(redisKeys.coherenceChannel, JSON.stringify(["outage"]));
      return heard.counters.invalidations;
    })
    .toBe(1);
}

test("while no store answers, a link with a password is unavailable; a plain one still redirects", async () => {
  const [secret, plain] = [await make({ url, password: "open sesame" }), await make({ url })];
  await untilReceived();
  const form = "password=open+sesame";
  const given = await ask(`/${secret.key}`, { method: "POST", form });
  const headers = { cookie: given.headers["set-cookie"]?.[0]?.split(";")[0] ?? "" };
  expect((await ask(`/${secret.key}`, { headers })).status).toBe(302);
  expect((await ask(`/${plain.key}`)).status).toBe(302);
  await transaction(async (tx) => {
    await query(sql`LOCK TABLE link, domain IN ACCESS EXCLUSIVE MODE`, tx);
    // The state of a process without a subscription: nothing in memory or Redis is used unchecked.
    channel.epoch += 1;
    const [granted, unanswered, redirected] = await Promise.all([
      ask(`/${secret.key}`, { headers }),
      ask(`/${secret.key}`, { method: "POST", form }),
      ask(`/${plain.key}`),
    ]);
    for (const { status, headers: head, all } of [granted, unanswered]) {
      expect([status, head["retry-after"]]).toEqual([503, "1"]);
      expect(all).not.toContain("secret-place");
    }
    expect([redirected.status, redirected.headers.location]).toEqual([302, url]);
  });
  await vi.waitFor(
    async () => expect((await ask(`/${secret.key}`, { headers })).status).toBe(302),
    300_000,
  );
});
