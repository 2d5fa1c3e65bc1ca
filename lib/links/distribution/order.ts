/**
 * The order in which the primary keys of a block are issued if links are on several servers: by the
 * hash by which Citus distributes rows. Neighbors in that order are on the same shard, so links
 * that are created together touch one or two shards instead of one each.
 */

/** Leading bits of the hash to order by. Keys with equal bits stay in numerical order. */
const orderedBits = 10;

/** PostgreSQL’s hashint8 of a non-negative bigint: the final mix of Bob Jenkins’s lookup3. */
export function hashOfPk(pk: number): number {
  const start = (0x9e3779b9 + 4 + 3_923_095) | 0;
  const folded = (pk % 2 ** 32) ^ Math.floor(pk / 2 ** 32);
  let [a, b, c] = [(start + folded) | 0, start, start];
  c = ((c ^ b) - rotate(b, 14)) | 0;
  a = ((a ^ c) - rotate(c, 11)) | 0;
  b = ((b ^ a) - rotate(a, 25)) | 0;
  c = ((c ^ b) - rotate(b, 16)) | 0;
  a = ((a ^ c) - rotate(c, 4)) | 0;
  b = ((b ^ a) - rotate(a, 14)) | 0;
  return ((c ^ b) - rotate(b, 24)) | 0;
}

function rotate(number: number, bits: number): number {
  return (number << bits) | (number >>> (32 - bits));
}

/** A counting sort: comparing all 65,536 keys of a block took 50 ms. */
export function orderOfBlock(start: number, count: number): number[] {
  const places = new Uint32Array(2 ** orderedBits + 1);
  const firstBits = new Uint16Array(count);
  for (let at = 0; at < count; at++) {
    const first = (hashOfPk(start + at) >> (32 - orderedBits)) + 2 ** (orderedBits - 1);
    firstBits[at] = first;
    places[first + 1] = (places[first + 1] ?? 0) + 1;
  }
  for (let at = 1; at < places.length; at++) places[at] = (places[at] ?? 0) + (places[at - 1] ?? 0);
  const ordered = new Array<number>(count);
  for (let at = 0; at < count; at++) {
    const first = firstBits[at] ?? 0;
    const place = places[first] ?? 0;
    ordered[place] = start + at;
    places[first] = place + 1;
  }
  return ordered;
}
