import { mkdtemp } from "node:fs/promises";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { redis, redisKeys } from "#lib/platform/redis";
import { openTestStores } from "../../../test/stores.ts";
import { addClick, closeClicks, eventEnd, openClicks } from "./index.ts";

openTestStores();

const responses: ServerResponse[] = [];

function visit(): void {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  responses.push(response);
  addClick(`click${eventEnd}`, "203.0.113.7", response);
}

async function countStored(): Promise<number> {
  const entries = await redis("clicks").xrange(redisKeys.clickStream(0), "-", "+");
  return entries.flatMap(([, fields]) => (fields.at(-1) ?? "").split(eventEnd).slice(1)).length;
}

test("a process that stops in a rush stores and answers the visits of the open group", async () => {
  openClicks({
    shards: 1,
    spoolFolder: await mkdtemp(join(tmpdir(), "spool-")),
    keyOfDay: () => ({ day: "2026-11-30", key: undefined }),
  });
  visit();
  await expect.poll(countStored).toBe(1);
  const until = performance.now() + 300;
  while (performance.now() < until) {
    for (let at = 0; at < 20; at++) visit();
    await sleep(1);
  }
  visit();
  await closeClicks();
  expect(responses.every(({ writableEnded }) => writableEnded)).toBe(true);
  expect(await countStored()).toBe(responses.length);
});
