/** Days until a link that was created without an account expires, and until nobody can claim it anymore. */
export const publicLinkDays = 30;

/** About 16,000 hashes: less than a second on a phone, once per link. */
const workBits = 14;

/** Whether the hash of a proof of work begins with enough zero bits. */
export function isWork([first = 1, second = 1]: Uint8Array): boolean {
  return ((first << 8) | second) >> (16 - workBits) === 0;
}
