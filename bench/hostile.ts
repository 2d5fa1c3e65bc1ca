/**
 * What attackers cost others, on a complete instance.
 *
 * First the CPU time of the page process for requests at the limits of the front, beside that of a plain page. Then
 * redirects at a fixed rate and the sign-in page, alternately alone and while six clients attack: long queries, forms
 * and headers at their limits, a thousand idle connections, slow bodies, floods of wrong passwords.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { createConnection, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { pageLimits } from "#lib/platform/http";
import { hashPassword } from "#lib/platform/passwords";
import { query, sql } from "#lib/platform/postgres";
import { closeAll } from "#lib/platform/processes";
import { buildAll } from "../scripts/build.ts";
import { compiledProcess } from "../scripts/compile.ts";
import { partsWith } from "../scripts/launch.ts";
import { seed } from "../scripts/seed.ts";
import { Supervisor } from "../scripts/supervisor.ts";
import { type HttpAnswer, type SendOptions, send } from "../test/http-client.ts";
import { describeTestEnvironment } from "../test/instance.ts";
import { machine, median, openStage, putLoad } from "./stage.ts";
import { putLinks, visitsOf } from "./visits.ts";

const rounds = 20;
const warmUpPairs = 2;
const pairs = 5;
const seconds = 10;
const rate = 2_000;
const visitors = 500;
const clients = 6;
const idleConnections = 1_000;
const slowBodies = 120;
const ratioMax = 3;
const signInMaxMs = 1_000;
const owner = { FUXI_OWNER_EMAIL: "owner@example.com", FUXI_OWNER_PASSWORD: "a bench of attacks" };

const stage = await openStage();
const links = await putLinks(1_000);
const passwordPath = `/${links[0]?.key}`;
await query(sql`
  UPDATE link SET password_hash = ${await hashPassword("the right password")}
  WHERE pk = ${links[0]?.pk ?? 0}`);
const stores = { databaseUrl: stage.databaseUrl, redisUrl: stage.redisUrl };
const env = await describeTestEnvironment(stage.dataDir, stores, {
  ...owner,
  FUXI_LOG_LEVEL: "error",
});
await buildAll({ env, report: console.log, signal: new AbortController().signal });
await seed(compiledProcess, env, 2);
let pids: number[] = [];
const supervisor = new Supervisor({
  parts: partsWith(compiledProcess),
  env,
  output: 2,
  report: () => undefined,
  onChildren: (children) => {
    pids = children;
  },
  onGiveUp: () => process.exit(1),
});
await supervisor.start();
const url = String(env["FUXI_URL"]);
const { host, hostname, port } = new URL(url);
const agent = new Agent({ keepAlive: true });

try {
  const costs = await measureCosts();
  const load = await measureLoad();
  const results = { machine: machine(), costs, load };
  console.log(JSON.stringify(results, undefined, 2));
  if (process.argv.includes("--keep")) {
    writeFileSync("bench/hostile.json", `${JSON.stringify(results, undefined, 2)}\n`);
  }
} finally {
  agent.destroy();
  await supervisor.stop();
  await closeAll();
  await stage.close();
}
process.exit();

function webPid(): number {
  const found = pids.find((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("fuxi-processes/web.mjs"),
  );
  if (found === undefined) throw new Error("The page process does not run.");
  return found;
}

/** User and system time of a process so far; Linux counts in hundredths of a second. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function form(bytes: number): { body: string; type: string } {
  const boundary = "x".repeat(20);
  const part = (at: number) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${at}"\r\n\r\n1\r\n`;
  let body = "";
  for (let at = 0; body.length < bytes - 200; at++) body += part(at);
  return { body: `${body}--${boundary}--\r\n`, type: `multipart/form-data; boundary=${boundary}` };
}

/** Requests at the limits, which nobody has to sign in for. */
function permittedRequests(): Record<string, SendOptions> {
  const { queryCharsMax, parametersMax, headerCharsMax, cookiesMax } = pageLimits;
  const origin = { Origin: url };
  const small = form(pageLimits.publicBodyBytesMax);
  const large = form(pageLimits.bodyBytesMax);
  const action = "40".padEnd(42, "0");
  const segments = "a/".repeat(1_000);
  return {
    "plain page": { path: "/signin" },
    "most parameters": { path: `/signin?${"a&".repeat(parametersMax - 1)}a` },
    "longest query": { path: `/signin?a=${"%41".repeat(Math.floor(queryCharsMax / 3) - 1)}` },
    "longest path": { path: `/docs/${segments}` },
    "most cookies": {
      path: "/signin",
      headers: { Cookie: Array.from({ length: cookiesMax }, (_, at) => `c${at}=1`).join("; ") },
    },
    "longest cookie": {
      path: "/signin",
      headers: { Cookie: `authjs.session-token=${"e".repeat(headerCharsMax - 30)}` },
    },
    "longest language list": {
      path: "/signin",
      headers: { "Accept-Language": "en-x;q=0.5,".repeat(headerCharsMax / 11) },
    },
    "longest router state": {
      path: "/signin",
      headers: { RSC: "1", "Next-Router-State-Tree": "%5B".repeat(headerCharsMax / 3) },
    },
    "unknown server action": {
      method: "POST",
      path: "/signin",
      headers: { "Next-Action": action, "Content-Type": small.type, ...origin },
      body: small.body,
    },
    "largest form, public page": {
      method: "POST",
      path: "/signin",
      headers: { "Content-Type": small.type, ...origin },
      body: small.body,
    },
    "largest form, dashboard": {
      method: "POST",
      path: "/app/acme/links",
      headers: { "Content-Type": large.type, ...origin },
      body: large.body,
    },
    "largest sign-in": {
      method: "POST",
      path: "/api/auth/callback/credentials",
      headers: { "Content-Type": "application/x-www-form-urlencoded", ...origin },
      body: "a=b&".repeat(pageLimits.publicBodyBytesMax / 4),
    },
    "reference of the API": { path: "/docs/api/links" },
    "search of the documentation": { path: "/docs?q=campaign" },
    "image optimizer": { path: "/_next/image?url=%2Fpictures%2Flinks.png&w=3840&q=75" },
  };
}

async function measureCosts(): Promise<Record<string, { status: number; cpuMs: number }>> {
  const pid = webPid();
  const costs: Record<string, { status: number; cpuMs: number }> = {};
  for (const [name, sending] of Object.entries(permittedRequests())) {
    let answer = await send(url, { ...sending, agent });
    const from = cpuMs(pid);
    for (let round = 0; round < rounds; round++) answer = await send(url, { ...sending, agent });
    costs[name] = { status: answer.status, cpuMs: (cpuMs(pid) - from) / rounds };
    console.log(name, costs[name]);
  }
  return costs;
}

interface Attack {
  requests: number;
  stop: () => Promise<void>;
}

/** Six clients with addresses of their own, which send as fast as they are answered. */
function attack(): Attack {
  const running = { on: true, requests: 0 };
  const sockets: Socket[] = [];
  const open = (localAddress: string, opening: string) => {
    const socket = createConnection({ host: hostname, port: Number(port), localAddress });
    socket.on("error", () => undefined);
    socket.write(opening);
    sockets.push(socket);
    return socket;
  };
  const kinds = Object.values(permittedRequests());
  const wrong = new URLSearchParams({ password: "a wrong password" });
  const flood: SendOptions[] = [
    ...kinds,
    { path: `/signin?${"a&".repeat(7_000)}` },
    { path: "/signin", headers: { Cookie: "a".repeat(12_000) } },
    { path: passwordPath, method: "POST", body: wrong },
    { path: passwordPath, method: "POST", body: wrong },
  ];
  const loops = Array.from({ length: clients }, async (_, client) => {
    const localAddress = `127.0.0.${2 + client}`;
    for (let at = 0; at < idleConnections / clients; at++) open(localAddress, "");
    for (let at = 0; at < slowBodies / clients; at++) {
      open(
        localAddress,
        `POST /api/links HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 9000\r\n\r\n`,
      );
    }
    const own = new Agent({ keepAlive: true, maxSockets: 16, localAddress });
    const loop = async (from: number) => {
      for (let at = from; running.on; at++) {
        await send(url, { ...flood[at % flood.length], agent: own }).catch(() => sleep(10));
        running.requests += 1;
      }
    };
    await Promise.all(Array.from({ length: 4 }, (_none, at) => loop(client + at * 5)));
    own.destroy();
  });
  const drip = setInterval(() => {
    for (const socket of sockets.slice(-slowBodies)) if (socket.writable) socket.write("x");
  }, 1_000);
  return {
    get requests() {
      return running.requests;
    },
    stop: async () => {
      running.on = false;
      clearInterval(drip);
      for (const socket of sockets) socket.destroy();
      await Promise.all(loops);
    },
  };
}

/** How long the sign-in page takes, asked for by another client until `stop`. */
function watchSignIn(): { stop: () => Promise<number[]> } {
  const times: number[] = [];
  const running = { on: true };
  const own = new Agent({ keepAlive: true, localAddress: "127.0.0.100" });
  const loop = (async () => {
    while (running.on) {
      const from = performance.now();
      const answer: HttpAnswer = await send(url, { path: "/signin", agent: own });
      if (answer.status !== 200) throw new Error(`The sign-in page answered ${answer.status}.`);
      times.push(performance.now() - from);
      await sleep(200);
    }
  })();
  return {
    stop: async () => {
      running.on = false;
      await loop;
      own.destroy();
      return times;
    },
  };
}

async function measureRound() {
  const watch = watchSignIn();
  const script = visitsOf(
    links.slice(1).map(({ key }) => `/${key}`),
    { pauseMs: Math.floor((visitors * 900) / rate) },
  );
  const load = await putLoad(url, script, { connections: visitors, seconds });
  const times = await watch.stop();
  return {
    p99Ms: load.p99Ms,
    errors: load.errors,
    perSecond: load.requestsPerSecond,
    signInMs: Math.max(...times),
  };
}

async function measureLoad(): Promise<object> {
  const alone: Awaited<ReturnType<typeof measureRound>>[] = [];
  const attacked: typeof alone = [];
  let requests = 0;
  // The first pairs do not count: what runs for the first times is still being compiled.
  for (let pair = -warmUpPairs; pair < pairs; pair++) {
    const calm = await measureRound();
    const attackers = attack();
    await sleep(1_000);
    const hostile = await measureRound();
    if (pair >= 0) {
      alone.push(calm);
      attacked.push(hostile);
      requests += attackers.requests;
    }
    await attackers.stop();
  }
  const p99 = (list: typeof alone) => median(list.map(({ p99Ms }) => p99Ms));
  const ratio = p99(attacked) / p99(alone);
  const signInMs = Math.max(...attacked.map((round) => round.signInMs));
  return {
    hostileRequestsPerSecond: requests / (pairs * (seconds + 1)),
    alone,
    attacked,
    p99Ratio: ratio,
    signInMaxMs: signInMs,
    isHeld: ratio <= ratioMax && signInMs <= signInMaxMs,
  };
}
