import { LRUCache } from "lru-cache";
import { redis, redisKeys } from "#lib/platform/redis";
import { loadDaySecret } from "#lib/platform/visitor-salts";
import { type ClickEvent, formatVersion, openAddresses, parseEvents } from "#lib/redirect/clicks";

/** Large enough that thousands of clicks share a commit, small enough to be cut in halves. */
const clicksPerBatch = 20_000;
const entriesPerBatch = 5_000;
const bytesPerBatch = 16 * 1024 * 1024;
const entriesPerRead = 250;
const secretsRememberedMs = 60_000;
const daysRememberedMax = 100;
const nothing = Buffer.alloc(0);

export interface StreamEntry {
  id: string;
  group: GroupId;
  events: ClickEvent[];
  salt: string | undefined;
  unreadable: string | undefined;
}

export interface GroupId {
  producer: string;
  number: number;
}

export async function hasEntries(shard: number): Promise<boolean> {
  return (await redis("clicks").xlen(redisKeys.clickStream(shard))) > 0;
}

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

/** An entry has few fields, so a search is cheaper than a map. */
function fieldOf(fields: readonly Buffer[], name: string): Buffer {
  const code = name.charCodeAt(0);
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const found = fields[at];
    if (found?.length === 1 && found[0] === code) return fields[at + 1] ?? nothing;
  }
  return nothing;
}

async function openEntry(id: string, fields: readonly Buffer[]): Promise<StreamEntry> {
  const name = fieldOf(fields, "g").toString("latin1");
  const colon = name.indexOf(":");
  const group = {
    producer: name.slice(0, Math.max(0, colon)),
    number: Number(name.slice(colon + 1)),
  };
  const entry: StreamEntry = { id, group, events: [], salt: undefined, unreadable: undefined };
  try {
    if (fieldOf(fields, "v").toString("latin1") !== formatVersion) {
      throw new SyntaxError("Unknown version");
    }
    if (!isUuid(group.producer) || !Number.isSafeInteger(group.number)) {
      throw new SyntaxError("A group needs a UUID and a number");
    }
    const day = fieldOf(fields, "d").toString("latin1");
    // Awaited only if unknown, because most entries are from the same day.
    const { key, salt } = knownSecret(day) ?? (await readSecret(day));
    const addresses = key ? openAddresses(fieldOf(fields, "a"), key) : [];
    entry.salt = salt;
    entry.events = parseEvents(fieldOf(fields, "e").toString("latin1"), addresses);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    entry.unreadable = error.message;
  }
  return entry;
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

interface KnownSecret {
  key: Buffer | undefined;
  salt: string | undefined;
  until: number;
}

const secrets = new LRUCache<string, KnownSecret>({ max: daysRememberedMax });

function knownSecret(day: string): KnownSecret | undefined {
  const known = secrets.get(day);
  return known && known.until > Date.now() ? known : undefined;
}

async function readSecret(day: string): Promise<KnownSecret> {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(Date.parse(day))) {
    throw new SyntaxError("An entry needs a day");
  }
  const secret = await loadDaySecret(day);
  const until = Date.now() + secretsRememberedMs;
  const known = { key: secret?.key, salt: secret?.salt.toString("hex"), until };
  secrets.set(day, known);
  return known;
}
