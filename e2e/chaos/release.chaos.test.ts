/**
 * A rolling upgrade: the processes of the last release run on the current schema, alone and beside current ones, which
 * then replace them.
 */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { canRunRelease, openRelease } from "../../test/release.ts";
import {
  entries,
  type Kind,
  makeLink,
  openStage,
  type Process,
  type Stage,
  sendVisits,
  settledClicks,
  visitOnce,
} from "./stage.ts";

const visits = 200;
const seenWithinMs = 60_000;
let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});

afterAll(() => stage.close());

async function startAll(folder?: string): Promise<Record<Kind, Process>> {
  const start = (kind: Kind) => stage.start(entries[kind], {}, folder);
  const [redirect, api, worker] = await Promise.all([
    start("redirect"),
    start("api"),
    start("worker"),
  ]);
  return { redirect, api, worker };
}

async function expectLocation({ url }: Process, key: string, location: string): Promise<void> {
  await vi.waitFor(
    async () => expect(await visitOnce(`${url}/${key}`)).toMatchObject({ status: 302, location }),
    seenWithinMs,
  );
}

test.runIf(canRunRelease())(
  "processes of the last release work on this schema, and beside current ones",
  {
    timeout: 900_000,
  },
  async () => {
    const before = await startAll(openRelease());
    const counted = await makeLink(before.api, { url: "https://example.com/counted" });
    const first = await sendVisits(() => `${before.redirect.url}/${counted.key}`, visits);
    expect(await settledClicks(stage, counted.key, first.answered)).toBe(first.answered);

    const after = await startAll();
    const edited = await makeLink(before.api, { url: "https://example.com/0", key: "edited" });
    const redirects = [before.redirect, after.redirect];
    for (const [at, api] of [before.api, after.api, before.api].entries()) {
      const url = `https://example.com/${at + 1}`;
      expect((await api.call("PATCH", `/links/${edited.id}`, { url })).status).toBe(200);
      for (const redirect of redirects) await expectLocation(redirect, "edited", url);
    }

    // Clicks of both are counted by whichever worker is left.
    before.worker.kill("SIGTERM");
    const second = await sendVisits(() => `${before.redirect.url}/${counted.key}`, visits);
    const third = await sendVisits(() => `${after.redirect.url}/${counted.key}`, visits);
    const total = first.answered + second.answered + third.answered;
    expect([second.other, second.lost, third.other, third.lost]).toEqual([0, 0, 0, 0]);
    expect(await settledClicks(stage, counted.key, total)).toBe(total);

    // Links of the current API redirect in processes of the release, too.
    const later = await makeLink(after.api, { url: "https://example.com/later" });
    for (const redirect of redirects) {
      await expectLocation(redirect, later.key, "https://example.com/later");
    }
  },
);
