/**
 * A rolling upgrade: the processes of the last release run on the current schema, alone and beside current ones, which
 * then replace them, and are replaced by them again.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { endChild } from "../../scripts/processes.ts";
import { canRunRelease, openRelease } from "../../test/release.ts";
import {
  entries,
  type Kind,
  makeLink,
  openStage,
  type Process,
  type Stage,
  sendVisitors,
  sendVisits,
  settledClicks,
  visitOnce,
} from "./stage.ts";

const visits = 200;
/** The first test of a machine installs and compiles the release. */
const releaseMaxMs = 600_000;
const seenWithinMs = 60_000;
/** While every process is replaced, there and back. */
const visitsMin = 10_000;
/** After this many answers, none is left that was asked of another process. */
const drained = 100;
let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
  if (canRunRelease()) removeNewSettings(openRelease());
}, releaseMaxMs);

afterAll(() => stage.close());

/** The release refuses settings that came after it, as the guide for upgrades says. */
function removeNewSettings(release: string): void {
  const known = readFileSync(join(release, ".env.example"), "utf8");
  for (const name of Object.keys(stage.env)) {
    if (name.startsWith("FUXI_") && !known.includes(`${name}=`)) delete stage.env[name];
  }
}

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

test.runIf(canRunRelease())(
  `no visit of at least ${visitsMin} fails while all processes are upgraded and go back, and each is counted once`,
  { timeout: 900_000 },
  async () => {
    await stage.clear();
    const release = openRelease();
    const startRedirect = (folder?: string) => stage.start(entries.redirect, {}, folder);
    const { redirect, api, worker } = await startAll(release);
    const { key } = await makeLink(api, { url: "https://example.com/upgraded" });
    const redirects = [redirect, await startRedirect(release)];
    // Like a load balancer, visitors stop asking a process before it ends.
    let open = [...redirects];
    let turn = 0;
    const visitors = sendVisitors(() => `${open[turn++ % open.length]?.url}/${key}`, 8);
    let counting = worker;
    const versions = [undefined, release];
    for (const [at, folder] of versions.entries()) {
      for (const place of redirects.keys()) {
        const old = redirects[place];
        if (!old) throw new Error("There are two redirects");
        open = redirects.filter((one) => one !== old);
        await visitors.answered(visitors.tally.answered + drained);
        await endChild(old.child, "SIGTERM", 60_000);
        expect(old.child.exitCode).toBe(0);
        redirects[place] = await startRedirect(folder);
        open = [...redirects];
      }
      await endChild(counting.child, "SIGTERM", 60_000);
      counting = await stage.start(entries.worker, {}, folder);
      await visitors.answered((visitsMin * (at + 1)) / versions.length);
    }
    const { answered, other, lost } = await visitors.stop();
    expect({ other, lost }).toEqual({ other: 0, lost: 0 });
    expect(await settledClicks(stage, key, answered)).toBe(answered);
  },
);
