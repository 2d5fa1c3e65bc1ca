import { afterAll, beforeAll, expect, test } from "vitest";
import { makeLink, openStage, type Process, pause, type Stage, visitOnce } from "./stage.ts";

const limit = 100;
const visitors = 200;
let stage: Stage;
let api: Process;
let fronts: Process[];

beforeAll(async () => {
  stage = await openStage();
  [api, ...fronts] = await Promise.all([
    stage.start("workers/api.ts"),
    stage.start("workers/redirect.ts"),
    stage.start("workers/redirect.ts"),
  ]);
});

afterAll(() => stage.close());

/** Simultaneous visitors, half of them to each process: the number of responses per status. */
async function crowd(key: string, count: number): Promise<Map<number, number>> {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, at) => visitOnce(`${fronts[at % 2]?.url}/${key}`)),
  );
  const statuses = new Map<number, number>();
  for (const answer of answers) {
    const status = typeof answer === "object" ? answer.status : 0;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  return statuses;
}

test("of two hundred visitors at once, a link limited to a hundred redirects exactly a hundred", async () => {
  const { key } = await makeLink(api, { url: "https://example.com/few", maxClicks: limit });
  const statuses = await crowd(key, visitors);
  expect(Object.fromEntries(statuses)).toEqual({ 302: limit, 410: visitors - limit });
  expect(Object.fromEntries(await crowd(key, 10))).toEqual({ 410: 10 });
});

test("and not one more when Redis is killed meanwhile", async () => {
  const { key } = await makeLink(api, { url: "https://example.com/few", maxClicks: limit });
  let sentOn = 0;
  const waves = 10;
  for (let wave = 0; wave < waves; wave++) {
    if (wave === 2) process.kill(stage.redisPid(), "SIGKILL");
    sentOn += (await crowd(key, visitors / waves)).get(302) ?? 0;
  }
  expect(sentOn).toBe(limit);
});

test("a link with one visit left redirects one of many", async () => {
  for (let round = 0; round < 5; round++) {
    const { key } = await makeLink(api, { url: "https://example.com/one", maxClicks: 1 });
    expect((await crowd(key, 20)).get(302)).toBe(1);
    await pause(10);
  }
});
