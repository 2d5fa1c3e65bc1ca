/**
 * From the stream to the tables, exactly once.
 *
 * A shard is read by whoever holds its row lock: the oldest entries, in one transaction with everything that follows
 * from them and with the ids of their groups. Only then are the entries deleted. A worker that dies in between leaves
 * entries whose groups are known, and reading them again changes nothing. There is no position to save or to lose.
 *
 * A batch that the database refuses is cut in halves; a group that is refused alone is written click by click, and
 * what cannot be written becomes a dead letter in the same transaction.
 */
import { type ClickEvent, formatVersion, openAddresses, parseEvents } from "#lib/clicks";
import { type DaySecret, dayOf, loadDaySecret } from "#lib/days";
import { exposeCounters, log } from "#lib/log";
import { type Connection, isUnavailable, query, sql, transaction } from "#lib/postgres";
import { redis, redisKeys } from "#lib/redis";
import { type Click, enrich, isInTime } from "./enrich.ts";
import { ensureDays } from "./partitions.ts";
import { claimGroups, type GroupId, insertClicks, insertDead, lockShard } from "./store.ts";

const entriesMax = 200;
const secretsRememberedMs = 60_000;

interface Entry {
  id: string;
  group: GroupId;
  events: ClickEvent[];
  salt: Buffer | undefined;
  /** Why the entry as a whole cannot be read. */
  unreadable: string | undefined;
}

const ingestCounters = { entries: 0, clicks: 0, dropped: 0, dead: 0, repeated: 0 };
exposeCounters("ingest", "What ingest read, counted, dropped and buried.", ingestCounters);

/** Counts everything that waits in a shard. Returns the number of entries. */
export async function drainShard(shard: number): Promise<number> {
  let total = 0;
  for (;;) {
    const read = await transaction(async (tx) => {
      if (!(await lockShard(tx, shard))) return [];
      const entries = await readEntries(shard);
      // Before anything is written: making a partition waits for everyone who writes, so also for ourselves.
      await ensureDays(daysOf(entries));
      await storeHalving(tx, entries);
      return entries;
    });
    if (read.length === 0) return total;
    await redis().xdel(redisKeys.clickStream(shard), ...read.map(({ id }) => id));
    ingestCounters.entries += read.length;
    total += read.length;
    if (read.length < entriesMax) return total;
  }
}

function daysOf(entries: readonly Entry[]): Set<string> {
  const now = Date.now();
  const times = entries.flatMap(({ events }) => events.map(({ at }) => at));
  return new Set(times.filter((at) => isInTime(at, now)).map(dayOf));
}

async function readEntries(shard: number): Promise<Entry[]> {
  const found = await redis().xrangeBuffer(
    redisKeys.clickStream(shard),
    "-",
    "+",
    "COUNT",
    entriesMax,
  );
  const entries: Entry[] = [];
  for (const [id, fields] of found) entries.push(await readEntry(String(id), fields));
  return entries;
}

async function readEntry(id: string, fields: Buffer[]): Promise<Entry> {
  const values = new Map<string, Buffer>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    values.set(String(fields[at]), fields[at + 1] ?? Buffer.alloc(0));
  }
  const [producer = "", number = ""] = String(values.get("g") ?? "").split(":");
  const entry: Entry = {
    id,
    group: { producer, number: Number(number) },
    events: [],
    salt: undefined,
    unreadable: undefined,
  };
  try {
    if (String(values.get("v")) !== formatVersion) throw new SyntaxError("Unknown version");
    if (!/^[0-9a-f-]{36}$/.test(producer) || !Number.isSafeInteger(entry.group.number)) {
      throw new SyntaxError("A group is named by a UUID and a number");
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

const secrets = new Map<string, { secret: DaySecret | undefined; until: number }>();

async function secretOf(day: string): Promise<DaySecret | undefined> {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new SyntaxError("An entry names its day");
  const known = secrets.get(day);
  if (known && known.until > Date.now()) return known.secret;
  const secret = await loadDaySecret(day);
  secrets.set(day, { secret, until: Date.now() + secretsRememberedMs });
  return secret;
}

/** Stores entries in a savepoint; a refused batch is halved until the refused entry is alone. */
async function storeHalving(tx: Connection, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return;
  try {
    await inSavepoint(tx, () => store(tx, entries));
  } catch (error) {
    if (isUnavailable(error)) throw error;
    const [only] = entries;
    if (entries.length === 1 && only) return storeOneByOne(tx, only);
    const middle = entries.length >> 1;
    await storeHalving(tx, entries.slice(0, middle));
    await storeHalving(tx, entries.slice(middle));
  }
}

async function inSavepoint(tx: Connection, work: () => Promise<void>): Promise<void> {
  await query(sql`SAVEPOINT part`, tx);
  try {
    await work();
    await query(sql`RELEASE SAVEPOINT part`, tx);
  } catch (error) {
    if (!isUnavailable(error)) await query(sql`ROLLBACK TO SAVEPOINT part`, tx);
    throw error;
  }
}

async function store(tx: Connection, entries: readonly Entry[]): Promise<void> {
  const unreadable = entries.filter((entry) => entry.unreadable !== undefined);
  await insertDead(
    tx,
    unreadable.map((entry) => ({ reason: entry.unreadable ?? "", event: entry.id })),
  );
  const readable = entries.filter((entry) => entry.unreadable === undefined);
  const fresh = await claimGroups(
    tx,
    readable.map(({ group }) => group),
  );
  const clicks: Click[] = [];
  const now = Date.now();
  for (const { group, events, salt } of readable) {
    // Removed once seen: the same group may stand twice in one batch.
    if (!fresh.delete(`${group.producer}:${group.number}`)) {
      ingestCounters.repeated += 1;
      continue;
    }
    clicks.push(...enrichAll(events, now, salt));
  }
  await insertClicks(tx, clicks);
  ingestCounters.clicks += clicks.length;
  ingestCounters.dead += unreadable.length;
}

function enrichAll(events: readonly ClickEvent[], now: number, salt: Buffer | undefined): Click[] {
  return events.flatMap((event) => {
    const enriched = enrich(event, now, salt);
    if ("click" in enriched) return [enriched.click];
    ingestCounters.dropped += 1;
    return [];
  });
}

async function storeOneByOne(tx: Connection, { group, events, salt }: Entry): Promise<void> {
  const fresh = await claimGroups(tx, [group]);
  if (fresh.size === 0) return;
  for (const click of enrichAll(events, Date.now(), salt)) {
    try {
      await inSavepoint(tx, () => insertClicks(tx, [click]));
      ingestCounters.clicks += 1;
    } catch (error) {
      if (isUnavailable(error)) throw error;
      const { address: _address, ...event } = click.event;
      await insertDead(tx, [{ reason: String(error), event: JSON.stringify(event) }]);
      ingestCounters.dead += 1;
      log.error({ event: "click.dead", error: String(error) });
    }
  }
}
