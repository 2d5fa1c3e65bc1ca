import { join } from "node:path";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startRedis } from "../../scripts/redis.ts";
import { timeBound } from "../../test/bounds.ts";
import { makeLink, openStage, type Stage, sendVisits, settledClicks, visitOnce } from "./stage.ts";

const nodes = 3;
const slots = 16_384;
let stage: Stage;

/** Three masters that share the slots, joined by the commands of redis-cli. */
async function startCluster(dataDir: string) {
  const servers = await Promise.all(
    Array.from({ length: nodes }, (_, node) =>
      startRedis({
        dataDir: join(dataDir, `node${node}`),
        password: "chaos",
        report: () => undefined,
        settings: ["cluster-enabled yes", `cluster-config-file nodes.conf`],
      }),
    ),
  );
  const clients = servers.map(({ url }) => new Redis(url));
  const [first] = clients;
  for (const [node, client] of clients.entries()) {
    const from = Math.floor((slots / nodes) * node);
    const to = Math.floor((slots / nodes) * (node + 1)) - 1;
    await client.call("CLUSTER", "ADDSLOTSRANGE", from, to);
    await first?.call("CLUSTER", "MEET", "127.0.0.1", new URL(servers[node]?.url ?? "").port);
  }
  await vi.waitFor(async () => {
    for (const client of clients) {
      expect(await client.call("CLUSTER", "INFO")).toContain("cluster_state:ok");
      expect(await client.call("CLUSTER", "INFO")).toContain(`cluster_known_nodes:${nodes}`);
    }
  }, 100_000);
  for (const client of clients) client.disconnect();
  return {
    url: servers.map(({ url }) => url).join(","),
    stop: async () => {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

beforeAll(async () => {
  stage = await openStage(startCluster);
});

afterAll(() => stage.close());

test("on a Redis Cluster links are created, visited, counted and changed as on one server", async () => {
  const [api, front] = await Promise.all([
    stage.start("workers/api.ts"),
    stage.start("workers/redirect.ts"),
    stage.start("workers/index.ts"),
  ]);
  const link = await makeLink(api, { url: "https://example.com/one" });
  const alias = await makeLink(api, { url: "https://example.com/two", key: "on-the-cluster" });
  const counts = await sendVisits(() => `${front.url}/${link.key}`, 300);
  expect(counts).toMatchObject({ lost: 0, other: 0 });
  expect(await settledClicks(stage, link.key, counts.answered)).toBe(counts.answered);
  await visitOnce(`${front.url}/${alias.key}`);
  await api.call("PATCH", `/links/${alias.id}`, { url: "https://example.com/three" });
  await vi.waitFor(
    async () =>
      expect(await visitOnce(`${front.url}/${alias.key}`)).toMatchObject({
        location: "https://example.com/three",
      }),
    timeBound(1_000),
  );
});
