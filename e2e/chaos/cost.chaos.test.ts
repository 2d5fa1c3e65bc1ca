/**
 * The CPU time that the front needs for a visit and for a create, against bare node:http servers in turns, by the
 * accounting of Linux. CPU time, unlike rates and latencies, hardly depends on what else runs on the machine; of five
 * rounds the cheapest counts, because other work can only make a request dearer.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findFreePort } from "../../scripts/ports.ts";
import { endChild } from "../../scripts/processes.ts";
import { profileOf } from "../../scripts/profiles.ts";
import { apiKey, existingPid, makeLink, openStage, type Process, type Stage } from "./stage.ts";

/**
 * Measured twenty times on two cores that others kept busy (load averages of 6 to 19): a visit 1.7 to 3.6 times a bare
 * one, a create 2.9 to 6.4 times. Each bound is the median plus at least three times the distance to the highest value.
 */
const visitTimesBareMax = 8;
const createTimesBareMax = 11;
const rounds = 5;
const warmUpRequests = 2_000;
const visitsPerRound = 1_500;
const createsPerRound = 500;
const connections = 32;

interface Server {
  pid: number;
  port: number;
}

let stage: Stage;
let front: Process;
const bareServers: ChildProcess[] = [];
beforeAll(async () => {
  stage = await openStage();
  front = await stage.start("server.ts");
});
afterAll(async () => {
  await Promise.all(bareServers.map((child) => endChild(child, "SIGKILL")));
  await stage.close();
});

test("a visit costs no more CPU time than a few bare responses", async () => {
  const { key } = await makeLink(front, { url: "https://example.com/a/destination" });
  const { host } = new URL(String(stage.env["FUXI_URL"]));
  const visit = [
    `GET /${key} HTTP/1.1`,
    `Host: ${host}`,
    "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    "Accept-Language: de-DE,de;q=0.9,en;q=0.8",
  ];
  const bare = await startBare("bench/bare.ts");
  const times = await compare(bare, { requestOf: () => textOf(visit), count: visitsPerRound });
  expect(times).toBeLessThan(visitTimesBareMax);
});

test("a create costs no more CPU time than a few bare responses", async () => {
  const create = (number: number) => {
    const body = JSON.stringify({ url: `https://example.com/orders/${number}?utm_source=sms` });
    const head = [
      "POST /api/links HTTP/1.1",
      `Host: ${new URL(String(stage.env["FUXI_URL"])).host}`,
      `Authorization: Bearer ${apiKey}`,
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    return textOf(head, body);
  };
  const bare = await startBare("bench/bare-post.ts");
  const times = await compare(bare, { requestOf: create, count: createsPerRound });
  expect(times).toBeLessThan(createTimesBareMax);
});

function textOf(head: string[], body = ""): string {
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

interface Requests {
  requestOf: (number: number) => string;
  count: number;
}

async function compare(bare: Server, { requestOf, count }: Requests): Promise<number> {
  const ours = { pid: existingPid(front.child.pid), port: Number(new URL(front.url).port) };
  const cheapest = { bare: Number.POSITIVE_INFINITY, ours: Number.POSITIVE_INFINITY };
  for (const server of [bare, ours]) await request(server, requestOf, warmUpRequests);
  for (let round = 0; round < rounds; round++) {
    cheapest.bare = Math.min(cheapest.bare, await costOf(bare, requestOf, count));
    cheapest.ours = Math.min(cheapest.ours, await costOf(ours, requestOf, count));
  }
  const times = cheapest.ours / cheapest.bare;
  process.stdout.write(`${count} requests: ${times.toFixed(2)} times the CPU time of bare ones\n`);
  return times;
}

/** Nanoseconds of a request, in all threads of the server. */
async function costOf(
  server: Server,
  requestOf: Requests["requestOf"],
  count: number,
): Promise<number> {
  const before = cpuNanoseconds(server.pid);
  await request(server, requestOf, count);
  return (cpuNanoseconds(server.pid) - before) / count;
}

function cpuNanoseconds(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const times = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]),
  );
  return times.reduce((sum, time) => sum + time, 0);
}

let sent = 0;

/** Sends requests over a few connections, each after the previous response; a client of node:http costs more than the server. */
async function request(
  { port }: Server,
  requestOf: Requests["requestOf"],
  count: number,
): Promise<void> {
  let left = count;
  await Promise.all(
    Array.from({ length: connections }, () => {
      const socket = connect(port, "127.0.0.1");
      let received = "";
      const next = () => {
        received = "";
        if (left === 0) socket.end();
        else {
          left -= 1;
          socket.write(requestOf(++sent));
        }
      };
      socket.setEncoding("latin1");
      return new Promise<void>((resolve, reject) => {
        socket.once("connect", next);
        socket.once("error", reject);
        socket.once("close", () => resolve());
        socket.on("data", (chunk) => {
          received += chunk;
          if (!isWhole(received)) return;
          if (/^HTTP\/1\.1 (200|201|302) /.test(received)) next();
          else socket.destroy(new Error(received));
        });
      });
    }),
  );
}

function isWhole(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  const length = Number(/^content-length: (\d+)/im.exec(text)?.[1]);
  return end !== -1 && text.length >= end + 4 + length;
}

async function startBare(file: string): Promise<Server> {
  const port = await findFreePort();
  const flags = profileOf({}).flags["front"] ?? [];
  const child = spawn(process.execPath, [...flags, "--import", "tsx", file], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  bareServers.push(child);
  await new Promise<void>((resolve, reject) => {
    child.once("message", () => resolve());
    child.once("exit", () => reject(new Error(`${file} ended before it was ready`)));
  });
  return { pid: existingPid(child.pid), port };
}
