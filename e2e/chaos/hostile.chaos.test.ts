import { afterEach, beforeEach, expect, test } from "vitest";
import {
  type Attack,
  fire,
  headsIn,
  makeShot,
  mark,
  openRandom,
  type ResponseHead,
  type Targets,
} from "./hostile.ts";
import { makeLink, openStage, type Process, pause, type Stage, visitOnce } from "./stage.ts";

const seed = Number(process.env["TEST_SEED"] ?? Date.now() % 1e9);
const isLong = process.env["TEST_LONG"] !== undefined;
const requestsMax = isLong ? 500_000 : 20_000;
const crowd = 24;
const answerMaxMs = 60_000;
/** A list that grows with each request grows faster. */
const bytesPerRequestMax = 200;
/** Caches fill meanwhile, which is little beside many requests. */
const otherBytesMax = isLong ? 0 : 2 * 1024 * 1024;
const url = "https://dest.example/somewhere";

let stage: Stage;
let front: Process;
let redirect: Process;
let aims: Targets;

beforeEach(async () => {
  stage = await openStage();
  Object.assign(stage.env, {
    FUXI_LINKS_IN_MEMORY: "1000",
    NODE_OPTIONS: `--import ${new URL("./heap.mjs", import.meta.url)}`,
  });
  const shared = [
    { url },
    { url, forwardQuery: true },
    { url, forwardPath: true },
    { url, ios: `${url}/ios` },
  ];
  [front, redirect] = await Promise.all([
    stage.start("server.ts"),
    stage.start("workers/redirect.ts"),
    stage.start("workers/web.ts"),
  ]);
  const links = [];
  for (const body of [...shared, { url, password: "open sesame" }])
    links.push(await makeLink(front, body));
  aims = {
    keys: links.map(({ key }) => key),
    hosts: ["localhost", "127.0.0.1:1", "LOCALHOST.:80"],
  };
});

afterEach(() => stage.close());

function heapOf({ child }: Process): Promise<number> {
  return new Promise((resolve) => {
    child.once("message", (message: { heap: number }) => resolve(message.heap));
    child.send("heap");
  });
}

/** The problem of a response, or nothing. */
function faultOf(text: string | undefined, { methods }: Attack): string | undefined {
  if (text === undefined) return "neither answered nor closed";
  const heads = headsIn(text, methods);
  if (methods && heads.length !== methods.length && !isCutShort(heads))
    return `${heads.length} answers: ${heads.map(({ status }) => status)}`;
  for (const { status, lines } of heads) {
    if (status >= 500) return `status ${status}`;
    const reflecting = lines.find((line) => line.includes(mark) && !isOwnLocation(line));
    if (reflecting !== undefined) return reflecting;
  }
  return undefined;
}

/** What follows a refused or unread body, or a head beyond the limit, cannot be separated, so the connection ends. */
function isCutShort(heads: ResponseHead[]): boolean {
  const last = heads.at(-1);
  const closes = last?.lines.some((line) => /^connection: close$/i.test(line)) ?? false;
  return closes && cutShort.has(last?.status ?? 0);
}

const cutShort = new Set([403, 405, 411, 413, 415, 429, 431]);

/** The destination of a link with forwarded parts; or the page of its own password. */
function isOwnLocation(line: string): boolean {
  return /^(location: |refresh: 0;url=)(https:\/\/dest\.example\/|\/(?![/\\]))/i.test(line);
}

/** Sends this many requests to a process; throws at the first wrong response. */
async function attack(target: Process, shots: () => Attack, requests: number): Promise<void> {
  const port = Number(new URL(target.url).port);
  let left = requests;
  const attacker = async () => {
    while (left > 0) {
      const shot = shots();
      left -= shot.requests;
      const text = await fire(port, shot, answerMaxMs);
      const fault = faultOf(text, shot);
      if (fault !== undefined) {
        left = 0;
        const sentText = JSON.stringify(shot.text.slice(0, 2_000));
        throw new Error(
          `seed ${seed}: ${fault}\n${sentText}\n${JSON.stringify(text?.slice(0, 2_000))}`,
        );
      }
    }
  };
  await Promise.all(Array.from({ length: crowd }, attacker));
}

test(`${requestsMax} hostile requests cause no error, no text of theirs in a header and no lasting memory`, async () => {
  process.stdout.write(`hostile seed ${seed}\n`);
  const random = openRandom(seed);
  const shots = () => makeShot(random, aims);
  for (const target of [redirect, front]) {
    const requests = (requestsMax * (target === front ? 1 : 9)) / 10;
    await attack(target, shots, requests / 2);
    await pause(300);
    const before = await heapOf(target);
    await attack(target, shots, requests / 2);
    await pause(300);
    const growth = (await heapOf(target)) - before;
    process.stdout.write(`  ${Math.round(growth / (requests / 2))} bytes of memory a request\n`);
    const growthMax = bytesPerRequestMax * (requests / 2) + otherBytesMax;
    if (target === redirect) expect(growth).toBeLessThan(growthMax);
    expect([target.child.exitCode, target.child.signalCode]).toEqual([null, null]);
    const visit = await visitOnce(`${target.url}/${aims.keys[0]}`);
    expect(visit).toEqual({ status: 302, location: url });
  }
});
