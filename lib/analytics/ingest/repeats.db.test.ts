import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { query, sql } from "#lib/platform/postgres";
import { redis, redisKeys } from "#lib/platform/redis";
import { dayOf, loadDaySecret } from "#lib/platform/visitor-salts";
import { eventEnd, fieldEnd, sealAddresses } from "#lib/redirect/clicks";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { updateWorkspace } from "#lib/tenancy/workspaces";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { drainShard } from "./drain.ts";
import { openIngest } from "./index.ts";

openTestStores({ FUXI_CLICK_SHARDS: "4" });

const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const spanSeconds = 30;
/** Well inside one day, so that no visitor hash changes during a test. */
const noon = Date.now() - (Date.now() % 86_400_000) + 60_000;
let strict: WorkspaceScope;
let lax: WorkspaceScope;

beforeAll(async () => {
  await openIngest();
  strict = await makeTestScope("strict");
  lax = await makeTestScope("lax");
  await updateWorkspace(strict, { repeatSeconds: spanSeconds });
});

beforeEach(async () => {
  await redis().del(...[0, 1, 2, 3].map(redisKeys.clickStream));
  await query(sql`TRUNCATE analytics.click, analytics.visitor, analytics.counted_visit,
    analytics.click_group, analytics.touched_slot, link_stat`);
});

interface Visit {
  seconds: number;
  scope?: WorkspaceScope;
  link?: number;
  address?: string;
}

async function send(
  visits: Visit[],
  { shard = 0, group = `${randomUUID()}:1` } = {},
): Promise<void> {
  const day = dayOf(noon);
  const secret = await loadDaySecret(dayOf(Date.now()));
  if (!secret) throw new Error("no secret");
  const events = visits.map(({ seconds, scope = strict, link = 1 }) =>
    [noon + seconds * 1_000, link, scope.workspacePk, 1, "", browser, "", "", "", ""].join(
      fieldEnd,
    ),
  );
  const addresses = visits.map(({ address = "81.2.69.142" }) => address).join(fieldEnd);
  await redis().xadd(
    redisKeys.clickStream(shard),
    "*",
    ...["v", "1", "g", group, "d", day],
    "a",
    sealAddresses(addresses, secret.key),
    "e",
    events.map((event) => event + eventEnd).join(""),
  );
}

async function counts() {
  const [row] = await query<{ clicks: number; repeats: number; visitors: number }>(sql`
    SELECT
      count(*) FILTER (WHERE NOT bot) AS clicks,
      count(*) FILTER (WHERE bot_kind = 'repeat') AS repeats,
      count(*) FILTER (WHERE first_of_link) AS visitors
    FROM analytics.click`);
  return row;
}

test("a visitor counts once in the deduplication window of the workspace, and again after it", async () => {
  await send([
    { seconds: 0 },
    { seconds: 1 },
    { seconds: spanSeconds - 0.001 },
    { seconds: spanSeconds },
  ]);
  await drainShard(0);
  expect(await counts()).toEqual({ clicks: 2, repeats: 2, visitors: 1 });
  const [stat] = await query(sql`SELECT clicks, bots FROM link_stat`);
  expect(stat).toEqual({ clicks: 2, bots: 2 });
});

test("only the same visitor on the same link of a workspace with the setting is a duplicate", async () => {
  await send([
    { seconds: 0 },
    { seconds: 1, link: 2 },
    { seconds: 1, address: "8.8.8.8" },
    { seconds: 0, scope: lax, link: 3 },
    { seconds: 1, scope: lax, link: 3 },
  ]);
  await drainShard(0);
  expect(await counts()).toMatchObject({ clicks: 5, repeats: 0 });
});

test("deduplication works across batches, out of order, and when a group is delivered again", async () => {
  const group = `${randomUUID()}:9`;
  await send([{ seconds: 100 }], { group });
  await drainShard(0);
  await send([{ seconds: 100 }], { group });
  await send([{ seconds: 120 }, { seconds: 90 }]);
  await drainShard(0);
  await send([{ seconds: 20 }]);
  await drainShard(0);
  expect(await counts()).toEqual({ clicks: 2, repeats: 2, visitors: 1 });
});

test("four workers with one burst count it once", async () => {
  for (const shard of [0, 1, 2, 3]) {
    for (let group = 0; group < 5; group++) {
      await send(
        Array.from({ length: 20 }, (_, at) => ({ seconds: at / 10, link: 1 + (at % 5) })),
        { shard },
      );
    }
  }
  await Promise.all([0, 1, 2, 3].map(drainShard));
  expect(await counts()).toEqual({ clicks: 5, repeats: 395, visitors: 5 });
});
