/** Visits, creates and pages at once, and what memory the processes hold meanwhile. */
import { setTimeout as sleep } from "node:timers/promises";
import { openApi, send } from "../test/http-client.ts";
import { apiKey, owner, singleCreates } from "./calls.ts";
import { type Load, putLoad } from "./stage.ts";
import { visitsOf } from "./visits.ts";

/** With these pauses, fifty visitors make 500 visits a second, and ten programs 50 links. */
export const visitors = { connections: 50, pauseMs: 98 };
const programs = { connections: 10, pauseMs: 195 };
const readers = 2;
const readerPauseMs = 250;
const sampleEveryMs = 500;
const keptEverySeconds = 300;

/** In MB, as Linux accounts it. */
export interface Memory {
  front: number;
  worker: number;
  web: number;
  all: number;
}

/** Reads the memory until it is stopped: at most, and every five minutes. */
export function sampleMemory(read: () => Memory, idle: Memory) {
  const most = { ...idle };
  const later: Memory[] = [];
  let isOver = false;
  const started = Date.now();
  const sampling = (async () => {
    for (; !isOver; await sleep(sampleEveryMs)) {
      const now = read();
      for (const [name, mb] of Object.entries(now)) {
        most[name as keyof Memory] = Math.max(most[name as keyof Memory], mb);
      }
      if (Date.now() - started < (later.length + 1) * keptEverySeconds * 1_000) continue;
      later.push(now);
      console.log(`after ${later.length * keptEverySeconds} s`, now);
    }
  })();
  const stop = async () => {
    isOver = true;
    await sampling;
    return { most, later };
  };
  return { stop };
}

export interface Pages {
  cookie: string;
  paths: string[];
}

/** Signs in as the owner, whose workspace gets links that pages list. */
export async function findPages(url: string): Promise<Pages> {
  const api = openApi(url, apiKey);
  const { body: me } = await api("GET", "/me");
  const urls = Array.from({ length: 1_000 }, (_, at) => ({
    url: `https://example.com/shop/${at}`,
  }));
  const { body: made } = await api("POST", "/links/bulk", urls);
  const space = `/app/${me.workspace.slug}`;
  const [link = { id: "" }] = made;
  const csrf = await send(`${url}/api/auth/csrf`);
  const cookies = (answer: typeof csrf) =>
    (answer.headers["set-cookie"] ?? []).map((line) => line.split(";")[0]).join("; ");
  const signedIn = await send(`${url}/api/auth/callback/password`, {
    method: "POST",
    headers: { Cookie: cookies(csrf) },
    body: new URLSearchParams({
      csrfToken: JSON.parse(csrf.text).csrfToken,
      email: owner.email,
      password: owner.password,
    }),
  });
  const paths = [
    ...["/links", `/links/${link.id}`, "/analytics", "/domains", "/settings/tags", "/campaigns"],
    ...["/imports", "/links?search=shop", "/settings"],
  ].map((path) => space + path);
  return { cookie: cookies(signedIn), paths: [...paths, "/signin", "/docs", "/"] };
}

interface MixedLoad {
  /** Paths of short links. */
  visited: string[];
  seconds: number;
  connections: number;
  pauseMs: number;
}

export async function putMixedLoad(
  url: string,
  { cookie, paths }: Pages,
  { visited, seconds, connections, pauseMs }: MixedLoad,
) {
  const until = Date.now() + seconds * 1_000;
  const statuses: Record<string, number> = {};
  const read = async (first: number) => {
    for (let at = first; Date.now() < until; at++) {
      const path = paths[at % paths.length] ?? "/";
      const { status } = await send(url + path, { headers: { Cookie: cookie } });
      statuses[status] = (statuses[status] ?? 0) + 1;
      await sleep(readerPauseMs);
    }
  };
  const visits = visitsOf(visited, { pauseMs });
  const creates = singleCreates(programs.pauseMs);
  const [answered, created] = await Promise.all([
    putLoad(url, visits, { connections, seconds }),
    putLoad(url, creates, { connections: programs.connections, seconds }),
    ...Array.from({ length: readers }, (_, at) => read(at * 5)),
  ]);
  return { visits: figuresOf(answered), creates: figuresOf(created), pages: statuses };
}

function figuresOf({ requestsPerSecond, p50Ms, p99Ms, errors }: Load) {
  return { perSecond: Math.round(requestsPerSecond), p50Ms, p99Ms, errors };
}
