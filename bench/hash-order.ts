/**
 * Primary keys of a block in the order of the hash by which Citus distributes rows. Links that are created together and have
 * neighbours of this order are on one shard, or on two.
 */

/** Of PostgreSQL for a bigint that isn't negative (hashint8): the final mix of Bob Jenkins’s lookup3. */
function hashOfPk(pk: number): number {
  const start = (0x9e3779b9 + 4 + 3923095) | 0;
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

/** The keys of a block in that order. */
export function orderOfBlock(start: number, count: number): number[] {
  const hashed = Array.from({ length: count }, (_, at) => ({
    pk: start + at,
    hash: hashOfPk(start + at),
  }));
  return hashed.sort((a, b) => a.hash - b.hash).map(({ pk }) => pk);
}
