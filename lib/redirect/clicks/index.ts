/**
 * Stores clicks: each is in the Redis Stream before its visitor gets a response.
 *
 * Group commit: the first visit is written at once; visits that arrive during a write share the
 * next one, and while many arrive, so do those of a millisecond (window.ts). A group gets its name
 * (producer, number) before its first XADD and is never regrouped, so ingest can tell a second
 * delivery from a second visit.
 *
 * States: *streaming* → no answer within `answerMaxMs`, or an error → *spooling*: groups go to a
 * file on disk, fsynced before their visitors get a response, until a probe is answered →
 * *streaming*, while the files are sent in the background. After a reconnect the groups of the last
 * `resendMs` are sent again, because Redis may have lost the end of its append-only file. If the
 * disk fails too, visitors are still redirected, and `counters.lost` counts the lost clicks.
 */
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { exposeCounters, exposeGauges, exposeHistogram, Histogram, log } from "#lib/platform/log";
import {
  closeRedis,
  onServerLost,
  openRedis,
  type RedisClient,
  redisKeys,
} from "#lib/platform/redis";
import { formatVersion, sealAddresses } from "./event.ts";
import { type Piece, Slabs } from "./slabs.ts";
import { readSpool, Spool } from "./spool.ts";
import { GroupWindow, groupVisits } from "./window.ts";

export {
  type ClickEvent,
  countryIn,
  eventEnd,
  fieldEnd,
  flag,
  formatVersion,
  idMarks,
  idsIn,
  openAddresses,
  parseEvents,
  sealAddresses,
} from "./event.ts";

const counters = { groups: 0, events: 0, spooled: 0, resent: 0, lost: 0, timeouts: 0 };
exposeCounters("clicks", "Click groups, by result.", counters);

const groupSizes = new Histogram([1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000]);
exposeHistogram("click_group_size", "Visits per write.", groupSizes);
const answerSeconds = new Histogram([
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1,
]);
exposeHistogram(
  "visit_seconds",
  "Time from finding the destination to sending the redirect, in seconds.",
  answerSeconds,
);

const lostLoggedEveryMs = 1_000;
let lostLoggedAt = 0;

/** Counts every lost click, and logs one a second. */
function countLost(clicks: number, error: unknown): void {
  counters.lost += clicks;
  const now = Date.now();
  if (now < lostLoggedAt + lostLoggedEveryMs) return;
  lostLoggedAt = now;
  log.error({ event: "clicks.lost", sinceStart: counters.lost, error: String(error) });
}

const answerMaxMs = 100;
const probeEveryMs = 250;
const adoptEveryMs = 10_000;
const resendMs = 5_000;
/** Older groups were counted, and ingest may have forgotten their numbers. */
const resendAgeMaxMs = 3_600_000;
const resendBytesMax = 64 * 1024 * 1024;

export interface ClickOptions {
  shards: number;
  spoolFolder: string;
  keyOfDay: (at: number) => { day: string; key: Buffer | undefined };
}

exposeGauges("spool", "Click groups waiting on disk.", async () => ({ groups: spool.waiting }));

const producer = randomUUID();
let options: ClickOptions;
let stream = redisKeys.clickStream(0);
let client: RedisClient;
let spool: Spool;
let probe: NodeJS.Timeout | undefined;
let spooling = false;
/** Redis may have lost the last groups that it confirmed. */
let isUnsure = false;
let groupsMade = 0;

// The group being collected. Parallel arrays and one growing text instead of an object per visit:
// 1.3 times as many visits a second in bench/redirect.
let events = "";
let addresses = "";
let responses: ServerResponse[] = [];
let arrivals: number[] = [];
let writing: Promise<void> | undefined;
const groupWindow = new GroupWindow();
const slabs = new Slabs();
const noAddresses = Buffer.alloc(0);
const recent: Group[] = [];
let recentBytes = 0;

export function openClicks(given: ClickOptions): void {
  options = given;
  isClosing = false;
  stream = redisKeys.clickStream(shardOf(producer, given.shards));
  spool = new Spool(given.spoolFolder, producer);
  client = openRedis("clicks", "failFast", "clicks");
  client.once("ready", () => void returnToStream());
  onServerLost(client, () => {
    isUnsure = true;
    armProbe();
    void returnToStream();
  });
  spooling = true; // until the first probe: there may be files of a process that died
  armProbe();
}

/** Often while Redis is away. Otherwise only for the files of processes that died. */
function armProbe(): void {
  clearTimeout(probe);
  if (isClosing) return;
  const waitMs = spooling || isUnsure ? probeEveryMs : adoptEveryMs;
  probe = setTimeout(() => {
    armProbe();
    void returnToStream();
  }, waitMs);
}

/** The head of the response is written. The response ends once the click is stored. */
export function addClick(event: string, address: string, response: ServerResponse): void {
  events += event;
  addresses += responses.length === 0 ? address : `\x1f${address}`;
  responses.push(response);
  arrivals.push(performance.now());
  writing ??= writeGroups();
  if (responses.length === groupVisits) groupWindow.close();
}

async function writeGroups(): Promise<void> {
  let safe: Visits = noVisits;
  do {
    // Wait one turn of the event loop, so that visits of the same turn are grouped.
    await new Promise(setImmediate);
    const group = { size: responses.length, openedAt: arrivals[0] ?? 0 };
    if (groupWindow.isOpen(counters.events + group.size, group)) {
      endVisits(safe);
      safe = noVisits;
      await groupWindow.closed();
    }
    const next = responses.length > 0 ? takeGroup() : undefined;
    const keeping = next && storeOrLose(next[0]);
    // Send responses while Redis writes the next group.
    endVisits(safe);
    await keeping;
    safe = next ? next[1] : noVisits;
  } while (safe.responses.length > 0 || responses.length > 0);
  writing = undefined;
}

interface Visits {
  responses: readonly ServerResponse[];
  arrivals: readonly number[];
}

const noVisits: Visits = { responses: [], arrivals: [] };

function endVisits({ responses: ending, arrivals: came }: Visits): void {
  for (const response of ending) response.end();
  const now = performance.now();
  for (const at of came) answerSeconds.observe((now - at) / 1_000);
}

/** Visitors are redirected even if their clicks are lost. */
async function storeOrLose(group: Group): Promise<void> {
  try {
    await store(group);
  } catch (error) {
    countLost(group.count, error);
  }
}

function takeGroup(): [Group, Visits] {
  const visits = { responses, arrivals };
  const now = Date.now();
  const { day, key } = options.keyOfDay(now);
  groupsMade += 1;
  const group: Group = {
    producer,
    number: groupsMade,
    at: now,
    day,
    addresses: slabs.hold(key ? sealAddresses(addresses, key) : noAddresses),
    events: slabs.holdText(events),
    count: responses.length,
  };
  events = "";
  addresses = "";
  responses = [];
  arrivals = [];
  groupSizes.observe(group.count);
  counters.groups += 1;
  counters.events += group.count;
  return [group, visits];
}

/** Returns once the group is in the stream or on disk. Throws if it is in neither. */
async function store(group: Group): Promise<void> {
  if (!spooling && (await send(group))) {
    keepRecent(group);
    return;
  }
  if (!spooling) {
    spooling = true;
    isUnsure = true;
    armProbe();
    log.warn({ event: "clicks.spooling" });
  }
  try {
    await spool.append(packGroup(group));
    counters.spooled += group.count;
  } finally {
    release(group);
  }
}

function release({ addresses: sealed, events: text }: Group): void {
  slabs.release(sealed);
  slabs.release(text);
}

/** True if Redis confirmed the group. Otherwise it may still be in the stream. */
function send(group: Group): Promise<boolean> {
  return new Promise((resolve) => {
    let settled = false;
    const settle = (sent: boolean) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      resolve(sent);
    };
    // The timer may be late. After one more poll phase, a waiting answer has been read.
    const timer = setTimeout(() => setImmediate(() => settle(false)), answerMaxMs);
    addToStream(group).then(
      () => settle(true),
      () => settle(false),
    );
  });
}

function addToStream(group: Group): Promise<unknown> {
  return client.xadd(
    stream,
    "*",
    "v",
    formatVersion,
    "g",
    `${producer}:${group.number}`,
    "d",
    group.day,
    "a",
    group.addresses.bytes,
    "e",
    group.events.bytes,
  );
}

let resending = 0;

function keepRecent(group: Group): void {
  recent.push(group);
  recentBytes += group.events.bytes.length;
  // Forget nothing while groups are sent again, because the bytes of forgotten groups are reused at once.
  if (resending > 0) return;
  const oldest = group.at - resendMs;
  for (let first = recent[0]; first; first = recent[0]) {
    if (first.at >= oldest && recentBytes <= resendBytesMax) return;
    recent.shift();
    recentBytes -= first.events.bytes.length;
    release(first);
  }
}

/** Sends the groups of the last `resendMs` before the loss again, however long Redis was away. */
async function resendRecent(): Promise<void> {
  resending += 1;
  try {
    const since = Math.max((recent.at(-1)?.at ?? 0) - resendMs, Date.now() - resendAgeMaxMs);
    for (const group of recent.filter(({ at }) => at >= since)) {
      await addToStream(group);
      counters.resent += 1;
    }
  } finally {
    resending -= 1;
  }
}

let returning = false;
let isClosing = false;

/** Probes Redis, switches over, then sends all files on disk. */
async function returnToStream(): Promise<void> {
  if (returning || client.status !== "ready") return;
  returning = true;
  try {
    // In a Cluster, the server of this stream has to answer.
    await client.xlen(stream);
    if (spooling) log.info({ event: "clicks.streaming" });
    spooling = false;
    if (isUnsure) {
      isUnsure = false;
      await resendRecent();
    }
    for (const path of await spool.collect()) await sendSpooled(path);
  } catch {
    // Still unavailable. The files stay, and the next probe tries again.
    spooling = true;
    isUnsure = true;
    armProbe();
  } finally {
    returning = false;
  }
}

/** Number of sent records per partially sent file: a full Redis accepts a few at a time. */
const sentRecords = new Map<string, number>();

async function sendSpooled(path: string): Promise<void> {
  const records = await readSpool(path);
  for (let at = sentRecords.get(path) ?? 0; at < records.length; at++) {
    const { group, day, sealed, text } = unpackGroup(records[at] ?? Buffer.alloc(0));
    const entry = ["v", formatVersion, "g", group, "d", day, "a", sealed, "e", text];
    await client.xadd(stream, "*", ...entry);
    sentRecords.set(path, at + 1);
  }
  sentRecords.delete(path);
  await spool.remove(path);
}

export async function closeClicks(): Promise<void> {
  isClosing = true;
  clearTimeout(probe);
  while (writing !== undefined) await writing;
  await spool.close();
  await closeRedis(client);
}

interface Group {
  /** Ingest detects a second delivery by producer and number. */
  producer: string;
  number: number;
  at: number;
  day: string;
  addresses: Piece;
  events: Piece;
  count: number;
}

/** `producer:number LF day LF base64(addresses) LF events` */
function packGroup(group: Group): Buffer {
  const sealed = group.addresses.bytes.toString("base64");
  const head = `${group.producer}:${group.number}\n${group.day}\n${sealed}\n`;
  return Buffer.concat([Buffer.from(head), group.events.bytes]);
}

function unpackGroup(record: Buffer) {
  const ends = [record.indexOf(10)];
  ends.push(record.indexOf(10, (ends[0] ?? 0) + 1));
  ends.push(record.indexOf(10, (ends[1] ?? 0) + 1));
  const [first = 0, second = 0, third = 0] = ends;
  return {
    group: record.toString("latin1", 0, first),
    day: record.toString("latin1", first + 1, second),
    sealed: Buffer.from(record.toString("latin1", second + 1, third), "base64"),
    text: record.subarray(third + 1),
  };
}

function shardOf(id: string, shards: number): number {
  return Number.parseInt(id.slice(0, 8), 16) % shards;
}
