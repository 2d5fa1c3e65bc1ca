/** Connections of which Redis has lost its end without telling this one. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { redis } from "#lib/platform/redis";
import { openTestStores } from "../../../test/stores.ts";
import { TcpProxy } from "../../../test/tcp-proxy.ts";
import { channel, openChannel } from "./channel.ts";

const proxy = new TcpProxy();
openTestStores({ REDIS_CACHE_URL: await proxy.open(String(process.env["TEST_REDIS_URL"])) });

beforeAll(async () => {
  openChannel();
  await vi.waitFor(() => expect(channel.listening).toBe(true), 300_000);
});

afterAll(() => proxy.close());

test("commands and invalidations arrive again some seconds after Redis has forgotten the connections", async () => {
  const { epoch } = channel;
  proxy.abandon();
  await expect.poll(() => channel.listening).toBe(false);
  await expect.poll(() => redis("cache").ping()).toBe("PONG");
  await expect.poll(() => channel.listening).toBe(true);
  expect(channel.epoch).toBeGreaterThan(epoch);
});
