import { afterAll, beforeAll, expect, test } from "vitest";
import { timeBound } from "../../test/bounds.ts";
import { send } from "../../test/http-client.ts";
import { openStage, type Process, pause, type Stage } from "./stage.ts";

/** Changes of one process reach the others within this time. */
const seenWithinMs = 1_000;
const rounds = process.env["TEST_LONG"] ? 100 : 3;
let stage: Stage;
let api: Process;
let front: Process;

beforeAll(async () => {
  stage = await openStage();
  [api, front] = await Promise.all([
    stage.start("workers/api.ts"),
    stage.start("workers/redirect.ts"),
  ]);
});

afterAll(() => stage.close());

/** A visit of a host by its Host header: its Location, or its status. */
async function visit(host: string, path: string): Promise<string> {
  const { status, headers } = await send(front.url, { path, headers: { host } });
  return headers.location ?? String(status);
}

/** Whether visits get a response within the time that a change may take. */
async function isSeen(host: string, path: string, answer: string): Promise<boolean> {
  const from = performance.now();
  while (performance.now() - from < timeBound(seenWithinMs)) {
    if ((await visit(host, path)) === answer) return true;
    await pause(5);
  }
  return false;
}

async function call(method: string, path: string, body?: object): Promise<void> {
  const answer = await api.call(method, path, body);
  if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
}

test(`a change of a domain in one process is seen by another within a second, ${rounds} times`, async () => {
  for (let round = 0; round < rounds; round++) {
    const slug = `d${round}.localhost`;
    const root = `https://example.com/root/${round}`;
    expect(await visit(slug, "/")).toBe("404");
    await call("POST", "/domains", { slug, placeholder: root });
    expect(await isSeen(slug, "/", root)).toBe(true);
    expect(await visit(slug, "/none")).toBe("404");
    const notFoundUrl = `https://example.com/none/${round}`;
    await call("PATCH", `/domains/${slug}`, { notFoundUrl });
    expect(await isSeen(slug, "/none", notFoundUrl)).toBe(true);
    await call("POST", "/links", { url: "https://example.com/to", domain: slug, key: "go" });
    expect(await isSeen(slug, "/go", "https://example.com/to")).toBe(true);
    const renamed = `r${round}.localhost`;
    await call("PATCH", `/domains/${slug}`, { slug: renamed });
    expect(await isSeen(slug, "/go", "404")).toBe(true);
    expect(await isSeen(renamed, "/go", "https://example.com/to")).toBe(true);
    await call("DELETE", `/domains/${renamed}?links=delete`);
    expect(await isSeen(renamed, "/go", "404")).toBe(true);
    expect(await isSeen(renamed, "/", "404")).toBe(true);
  }
});

test("a domain that is not verified answers nothing", async () => {
  await call("POST", "/domains", { slug: "claimed.example", placeholder: "https://example.com/" });
  await pause(seenWithinMs);
  expect(await visit("claimed.example", "/")).toBe("404");
});
