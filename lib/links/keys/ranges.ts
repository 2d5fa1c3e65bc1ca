/**
 * Primary keys in three layers: PostgreSQL leases blocks, Redis divides a block, and each process
 * takes ranges.
 *
 * PostgreSQL alone ensures that a block is leased once (a sequence). Redis stores the `run_id` of
 * its server with the block. A Redis that was restarted, rolled back or replaced has another run_id
 * and leases a new block, so that writes missing from its append-only file cannot lead to
 * duplicates. Without Redis a process leases blocks for itself. Unused ranges leave gaps, which
 * cost nothing.
 */
import { withTimeout } from "#lib/basics/bounds";
import { areLinksApart, orderOfBlock } from "#lib/links/distribution";
import { pksFrom } from "#lib/platform/codes";
import { exposeCounters, exposeGauges } from "#lib/platform/log";
import { query, sql } from "#lib/platform/postgres";
import { defineScript, redis, redisKeys } from "#lib/platform/redis";
import { nextPkBlock } from "#lib/platform/sequences";

/** 65,536 pks: all 62^6 codes are 866,000 blocks. */
const blockSize = 65_536;
const leasesMax = 3;
/** If Redis hangs, PostgreSQL answers sooner. */
const redisAnswerMaxMs = 300;

/** Positions in a block, in the order of the primary keys or of their hashes. */
export interface PkRange {
  start: number;
  count: number;
  hashed: boolean;
}

export const rangeCounters = {
  local: 0,
  redis: 0,
  postgres: 0,
  blocks: 0,
  redisErrors: 0,
  postgresErrors: 0,
};
exposeCounters(
  "pk_ranges",
  "Ranges of primary keys, by the layer that provided them.",
  rangeCounters,
);

let current = 0;
exposeGauges(
  "generator",
  "The end of the last range of primary keys leased by this process.",
  async () => ({ current }),
);

// The hash holds run, next and end of a block. Calling INFO here makes comparing the run and dividing the block one step.
const takeScript = `
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
local block = redis.call('HMGET', KEYS[1], 'run', 'next', 'end', 'hashed')
if block[1] ~= run or not block[2] then return {} end
local next, last = tonumber(block[2]), tonumber(block[3])
local count = math.min(tonumber(ARGV[1]), last - next)
if count <= 0 then return {} end
redis.call('HINCRBY', KEYS[1], 'next', count)
return {next, count, tonumber(block[4] or 0)}`;

const giveScript = `
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
local block = redis.call('HMGET', KEYS[1], 'run', 'next', 'end')
if block[1] == run and block[2] and tonumber(block[2]) < tonumber(block[3]) then return 0 end
redis.call('HSET', KEYS[1], 'run', run, 'next', ARGV[1], 'end', ARGV[2], 'hashed', ARGV[3])
return 1`;

const takePks = defineScript<[key: string, count: number], number[]>({
  name: "takePks",
  lua: takeScript,
  keys: 1,
});
const givePkBlock = defineScript<[key: string, start: number, end: number, hashed: number], number>(
  { name: "givePkBlock", lua: giveScript, keys: 1 },
);

/** A block that only this process uses: without Redis, or if Redis already had another. */
let ownBlock: PkRange | undefined;

export async function leaseRange(count: number): Promise<PkRange> {
  const range = await leaseFromLayers(count);
  current = range.start + range.count;
  return range;
}

async function leaseFromLayers(count: number): Promise<PkRange> {
  const local = takeOwn(count);
  if (local) {
    rangeCounters.local += 1;
    return local;
  }
  const shared = await takeFromRedis(count);
  if (shared) {
    rangeCounters.redis += 1;
    return shared;
  }
  ownBlock ??= await leaseBlock();
  const taken = takeOwn(count);
  if (!taken) throw new Error("A leased block is empty");
  rangeCounters.postgres += 1;
  return taken;
}

function takeOwn(count: number): PkRange | undefined {
  if (!ownBlock) return undefined;
  const { start, hashed } = ownBlock;
  const taken = { start, count: Math.min(count, ownBlock.count), hashed };
  const left = ownBlock.count - taken.count;
  ownBlock = left > 0 ? { start: start + taken.count, count: left, hashed } : undefined;
  return taken;
}

/** Undefined if Redis is unavailable or another process stored a block first. */
async function takeFromRedis(count: number): Promise<PkRange | undefined> {
  for (let lease = 0; lease < leasesMax; lease++) {
    const taken = await askRedis(() => takePks(redisKeys.pkBlock, count));
    if (!taken) return undefined;
    const [start, pks, hashed] = taken;
    if (start !== undefined && pks !== undefined)
      return { start, count: pks, hashed: hashed === 1 };
    const block = await leaseBlock();
    const given = await askRedis(() =>
      givePkBlock(redisKeys.pkBlock, block.start, block.start + block.count, block.hashed ? 1 : 0),
    );
    // Another process stored a block first. Without an answer the block becomes a gap.
    if (given === 0) ownBlock = block;
    if (given !== 1) return undefined;
  }
  return undefined;
}

async function askRedis<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await withTimeout(redisAnswerMaxMs, ask);
  } catch {
    rangeCounters.redisErrors += 1;
    return undefined;
  }
}

export function pksOfRange({ start, count, hashed }: PkRange): number[] {
  if (!hashed) return pksFrom(start, count);
  const first = Math.floor(start / blockSize) * blockSize;
  if (ordered?.first !== first) ordered = { first, pks: orderOfBlock(first, blockSize) };
  return ordered.pks.slice(start - first, start - first + count);
}

/** The last block whose order was computed. Ranges of a block follow each other. */
let ordered: { first: number; pks: number[] } | undefined;

async function leaseBlock(): Promise<PkRange> {
  try {
    const [block, hashed] = await Promise.all([nextPkBlock(), areLinksApart()]);
    rangeCounters.blocks += 1;
    return { start: block * blockSize, count: blockSize, hashed };
  } catch (error) {
    rangeCounters.postgresErrors += 1;
    throw error;
  }
}

export interface Leases {
  /** Lower pks are issued, or leased to a process. */
  leased: number;
  /** The block that Redis divides. Null if it has none or does not answer. */
  block: { start: number; next: number; end: number } | null;
}

export async function readLeases(): Promise<Leases> {
  const [rows, parts] = await Promise.all([
    query<{ leased: number }>(sql`
      SELECT CASE WHEN is_called THEN (last_value + 1) * ${blockSize}::bigint ELSE 0 END AS leased
      FROM pk_block`),
    withTimeout(redisAnswerMaxMs, () => redis().hmget(redisKeys.pkBlock, "next", "end")).catch(
      () => [],
    ),
  ]);
  const [next, end] = parts.map(Number);
  const isBlock = Number.isSafeInteger(next) && end !== undefined && end > 0;
  return {
    leased: rows[0]?.leased ?? 0,
    block: isBlock && next !== undefined ? { start: end - blockSize, next, end } : null,
  };
}
