/** How time is divided: into slots, the quarter hours in which clicks are counted, and into partitions of tables. */

export { dayMs, dropPartitions, ensurePartitions } from "./partitions.ts";

/** A quarter hour fits the offset of every zone. */
export const slotMs = 900_000;

/** The begin of the slot that a moment belongs to, in milliseconds. */
export function slotOf(at: number): number {
  return Math.floor(at / slotMs) * slotMs;
}
