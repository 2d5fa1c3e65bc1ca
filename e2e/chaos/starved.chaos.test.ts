import { setTimeout } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { findFreePort } from "../../scripts/ports.ts";
import { openApi, send } from "../../test/http-client.ts";
import { makeFolder, pidsOf, start, waitUntilReady } from "./npm-start.ts";
import { apiKey, browser } from "./stage.ts";

const starvedMs = 600_000;
const visitEveryMs = 1_000;

test("a worker without CPU time for ten minutes ends nothing, and then counts every visit", {
  timeout: starvedMs + 900_000,
}, async () => {
  const run = start(makeFolder(), await findFreePort(), {
    FUXI_OWNER_EMAIL: "ada@example.com",
    FUXI_OWNER_PASSWORD: "a picture of the owner",
    FUXI_API_KEY: apiKey,
  });
  await waitUntilReady(run);
  const call = openApi(run.url, apiKey);
  const made = await call("POST", "/links", { url: "https://example.com/starved" });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  await vi.waitFor(() => expect(run.output()).toMatch(/worker is ready|\bready\n/), 60_000);
  const before = pidsOf(run);
  const worker = before["/worker.mjs"] ?? 0;

  process.kill(worker, "SIGSTOP");
  let visits = 0;
  for (const until = Date.now() + starvedMs; Date.now() < until; visits += 1) {
    const answer = await send(`${run.url}/${made.body.key}`, {
      headers: { "user-agent": `${browser} ${visits}` },
    });
    expect(answer.status).toBe(302);
    await setTimeout(visitEveryMs);
  }
  expect(pidsOf(run)).toEqual(before);
  process.kill(worker, "SIGCONT");

  await vi.waitFor(
    async () => {
      const { body } = await call("GET", `/links/${made.body.id}`);
      expect(body.clicks).toBe(visits);
    },
    { timeout: 300_000, interval: 1_000 },
  );
});
