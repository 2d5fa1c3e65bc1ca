import { fork } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import {
  crashing,
  echo,
  endless,
  failing,
  hoarding,
  settings,
  silent,
  stubborn,
} from "../../../test/hostile-parsers.ts";
import { ParserChildren } from "./children.ts";
import { openParsers } from "./index.ts";
import { idleMs, lanes } from "./protocol.ts";

const program = new URL("../../../test/parser-program.ts", import.meta.url);
openParsers({ warm: 1 }, program);

const sender = { workspaceId: "ws_one" };
const refused = { code: "unprocessable_entity", message: "too complex" };
const lost = { code: "service_unavailable", retryAfterSeconds: 5 };

const pidOf = async () => (await echo.run(Buffer.from("x"), sender)).pid;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test("a document is parsed in another process, which stays for the next one", async () => {
  const bytes = Buffer.from([0, 1, 255]);
  const parsed = await echo.run(bytes, sender);
  expect(parsed.bytes).toEqual(bytes);
  expect(parsed.pid).not.toBe(process.pid);
  expect(await pidOf()).toBe(parsed.pid);
});

test("a child stays while documents come, and ends a minute after the last one", async () => {
  const children = new ParserChildren();
  children.open(0, program);
  const ask = async () => {
    const task = { name: echo.name, input: Buffer.alloc(1), cpuMsMax: 1_000 };
    const outcome = await children.ask(task, undefined);
    return outcome.kind === "parsed" && Object(outcome.output).pid;
  };
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const pid = await ask();
    for (let document = 0; document < 3; document++) {
      vi.advanceTimersByTime(idleMs - 1);
      expect(await ask()).toBe(pid);
    }
    vi.advanceTimersByTime(idleMs);
    expect(await ask()).not.toBe(pid);
    vi.advanceTimersByTime(idleMs);
  } finally {
    vi.useRealTimers();
  }
});

test("the error of a parser arrives as it was thrown", async () => {
  const known = { code: "conflict", message: "known", retryAfterSeconds: 7 };
  await expect(failing.run(true, sender)).rejects.toMatchObject({
    ...known,
    problem: { code: "row_invalid", params: { line: 3 } },
  });
  await expect(failing.run(false, sender)).rejects.toThrow("TypeError: unknown");
});

test("a child knows no settings and has a low priority", async () => {
  process.env["FUXI_SESSION_SECRET"] ??= "secret";
  const { names, niceness } = await settings.run(null, sender);
  expect(names.filter((name) => !/^(NODE_|MALLOC_|VITEST|__)/.test(name))).toEqual([]);
  expect(niceness).toBe(constants.priority.PRIORITY_BELOW_NORMAL);
});

test("a document that takes too much CPU time is refused, and its child replaced", async () => {
  const before = await pidOf();
  await expect(endless.run(undefined, sender)).rejects.toMatchObject(refused);
  expect(isAlive(before)).toBe(false);
  expect(await pidOf()).not.toBe(before);
});

test.each(["bytes", "objects"] as const)(
  "a document that takes too much memory for %s is refused",
  async (what) => {
    await expect(hoarding.run(what, sender)).rejects.toMatchObject(refused);
    expect(await pidOf()).toBeGreaterThan(0);
  },
);

test("a document that crashes its decoder is refused", async () => {
  await expect(crashing.run("SIGSEGV", sender)).rejects.toMatchObject(refused);
});

test("a child that is killed by somebody else says nothing about its document", async () => {
  await expect(crashing.run("SIGKILL", sender)).rejects.toMatchObject(lost);
  expect(await pidOf()).toBeGreaterThan(0);
});

test("the work ends when the client leaves, also while it waits for its turn", async () => {
  const leaving = new AbortController();
  const { signal } = leaving;
  const running = stubborn.run(20_000, { ...sender, signal });
  const waiting = stubborn.run(20_000, { ...sender, signal });
  const both = Promise.allSettled([running, waiting]);
  setTimeout(() => leaving.abort(), 50);
  for (const outcome of await both) {
    expect(outcome).toMatchObject({ reason: { code: "bad_request" } });
  }
  // The lane is free again.
  await stubborn.run(1, sender);
});

test("a long document does not delay a quick one", async () => {
  const leaving = new AbortController();
  const long = stubborn.run(120_000, { ...sender, signal: leaving.signal });
  expect(await pidOf()).toBeGreaterThan(0);
  leaving.abort();
  await expect(long).rejects.toMatchObject({ code: "bad_request" });
});

test("as many documents wait as the lane allows, for a workspace and for all; one more is refused", async () => {
  const leaving = new AbortController();
  const send = (workspaceId: string) =>
    silent.run(undefined, { workspaceId, signal: leaving.signal }).catch((error) => error.code);
  const { runningMax, waitingMax, waitingPerGroupMax } = lanes.long;
  const outcomes = Array.from({ length: runningMax }, () => send("ws_0"));
  for (let sent = 0; sent < waitingMax; sent++) {
    outcomes.push(send(`ws_${Math.floor(sent / waitingPerGroupMax)}`));
    if (sent + 1 === waitingPerGroupMax) expect(await send("ws_0")).toBe("service_unavailable");
  }
  expect(await send("ws_other")).toBe("service_unavailable");
  leaving.abort();
  expect(new Set(await Promise.all(outcomes))).toEqual(new Set(["bad_request"]));
});

test("a child whose starter was killed ends although it never looks up from its document", async () => {
  const entry = fileURLToPath(new URL("../../../test/parser-starter.ts", import.meta.url));
  const starter = fork(entry, [], { execArgv: ["--import", "tsx"] });
  const [pid] = await once(starter, "message");
  starter.kill("SIGKILL");
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 60_000, interval: 50 });
});
