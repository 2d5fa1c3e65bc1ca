import { afterAll, beforeAll, expect, test } from "vitest";
import { timeBound } from "../../test/bounds.ts";
import { type ApiCall, openApi } from "../../test/http-client.ts";
import { makeLink, openStage, type Process, pause, type Stage, visitOnce } from "./stage.ts";

const changes = process.env["TEST_LONG"] ? 50 : 2;
/** Fewer: every call of the API waits for the Redis that does not answer. */
const changesAlone = process.env["TEST_LONG"] ? 10 : 1;
const seenWithinMs = timeBound(1_000);
const token = "the administrator of chaos tests, who bans";
let stage: Stage;
let api: Process;
let fronts: Process[];
let admin: ApiCall;

beforeAll(async () => {
  stage = await openStage();
  [api, ...fronts] = await Promise.all([
    stage.start("workers/api.ts", { FUXI_ADMIN_TOKEN: token }),
    stage.start("workers/redirect.ts"),
    stage.start("workers/redirect.ts"),
  ]);
  admin = openApi(api.url, token);
});
afterAll(() => stage.close());

async function ban(kind: string, subject: string): Promise<string> {
  const body = { kind, subject, reason: "phishing", note: "Copies a bank" };
  const answer = await admin("POST", "/admin/bans", body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.id;
}

async function lift(id: string): Promise<void> {
  expect((await admin("POST", `/admin/bans/${id}/lift`, { note: "A mistake" })).status).toBe(200);
}

/** Whether a visit through this process has the status within a second. */
async function reaches(front: Process, key: string, status: number): Promise<boolean> {
  const from = performance.now();
  for (;;) {
    const answer = await visitOnce(`${front.url}/${key}`);
    if (typeof answer === "object" && answer.status === status) return true;
    if (performance.now() - from > seenWithinMs) return false;
    await pause(2);
  }
}

async function allReach(key: string, status: number): Promise<boolean> {
  const all = await Promise.all(fronts.map((front) => reaches(front, key, status)));
  return all.every(Boolean);
}

/** Bans and lifts of a link, and of its host, that every process has seen within a second. */
async function changesAreSeen(round: string, rounds: number): Promise<number> {
  let seen = 0;
  for (let at = 0; at < rounds; at++) {
    const host = `${round}-${at}.example`;
    const { id, key } = await makeLink(api, { url: `https://www.${host}/` });
    expect(await allReach(key, 302)).toBe(true);
    for (const [kind, subject] of [
      ["host", host],
      ["link", id],
    ] as const) {
      const created = await ban(kind, subject);
      if (await allReach(key, 451)) seen += 1;
      await lift(created);
      if (await allReach(key, 302)) seen += 1;
    }
  }
  return seen;
}

test(`bans and lifts of hosts and links are seen by two processes within a second, ${changes} of ${changes}`, async () => {
  expect(await changesAreSeen("linked", changes)).toBe(4 * changes);
});

test(`the same while Redis is stopped, ${changesAlone} of ${changesAlone}`, async () => {
  process.kill(stage.redisPid(), "SIGSTOP");
  try {
    expect(await changesAreSeen("alone", changesAlone)).toBe(4 * changesAlone);
  } finally {
    process.kill(stage.redisPid(), "SIGCONT");
  }
});

test("a process that starts later knows the bans before its first visit", async () => {
  const { key } = await makeLink(api, { url: "https://known.example/" });
  await ban("host", "known.example");
  const later = await stage.start("workers/redirect.ts");
  const answer = await visitOnce(`${later.url}/${key}`);
  expect(answer).toMatchObject({ status: 451 });
});
