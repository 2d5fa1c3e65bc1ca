/** Reads entries of the stream and parses their clicks. */

import { LRUCache } from "lru-cache";
import { redis, redisKeys } from "#lib/platform/redis";
import { type DaySecret, loadDaySecret } from "#lib/platform/visitor-salts";
import { type ClickEvent, formatVersion, openAddresses, parseEvents } from "#lib/redirect/clicks";

/** One batch: large enough that thousands of clicks share a commit, small enough to be cut in halves. */
const clicksPerBatch = 20_000;
const entriesPerBatch = 5_000;
const bytesPerBatch = 16 * 1024 * 1024;
const entriesPerRead = 250;
const secretsRememberedMs = 60_000;
const daysRememberedMax = 100;

export interface StreamEntry {
  id: string;
  group: GroupId;
  events: ClickEvent[];
  salt: Buffer | undefined;
  /** Why the entry as a whole is unreadable. */
  unreadable: string | undefined;
}

export interface GroupId {
  producer: string;
  number: number;
}

/** The oldest entries of a shard after an id; none when nothing waits. */
export async function readEntries(shard: number, behind = ""): Promise<StreamEntry[]> {
  const entries: StreamEntry[] = [];
  let clicks = 0;
  let bytes = 0;
  let after = behind;
  while (clicks < clicksPerBatch && bytes < bytesPerBatch && entries.length < entriesPerBatch) {
    const found = await redis("clicks").xrangeBuffer(
      redisKeys.clickStream(shard),
      after === "" ? "-" : `(${after}`,
      "+",
      "COUNT",
      entriesPerRead,
    );
    for (const [id, fields] of found) {
      const entry = await openEntry(String(id), fields);
      entries.push(entry);
      clicks += entry.events.length;
      bytes += fields.reduce((sum, field) => sum + field.length, 0);
    }
    if (found.length < entriesPerRead) break;
    after = entries.at(-1)?.id ?? after;
  }
  return entries;
}

async function openEntry(id: string, fields: Buffer[]): Promise<StreamEntry> {
  const values = new Map<string, Buffer>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    values.set(String(fields[at]), fields[at + 1] ?? Buffer.alloc(0));
  }
  const [producer = "", number = ""] = String(values.get("g") ?? "").split(":");
  const group = { producer, number: Number(number) };
  const entry: StreamEntry = { id, group, events: [], salt: undefined, unreadable: undefined };
  try {
    if (String(values.get("v")) !== formatVersion) throw new SyntaxError("Unknown version");
    if (!isUuid(producer) || !Number.isSafeInteger(group.number)) {
      throw new SyntaxError("A group needs a UUID and a number");
    }
    const secret = await secretOf(String(values.get("d")));
    const addresses = secret ? openAddresses(values.get("a") ?? Buffer.alloc(0), secret.key) : [];
    entry.salt = secret?.salt;
    entry.events = parseEvents((values.get("e") ?? Buffer.alloc(0)).toString("latin1"), addresses);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    entry.unreadable = error.message;
  }
  return entry;
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

const secrets = new LRUCache<string, { secret: DaySecret | undefined; until: number }>({
  max: daysRememberedMax,
});

async function secretOf(day: string): Promise<DaySecret | undefined> {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(Date.parse(day))) {
    throw new SyntaxError("An entry needs a day");
  }
  const cached = secrets.get(day);
  if (cached && cached.until > Date.now()) return cached.secret;
  const secret = await loadDaySecret(day);
  secrets.set(day, { secret, until: Date.now() + secretsRememberedMs });
  return secret;
}
