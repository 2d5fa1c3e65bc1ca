/** Divisions of time: slots, the quarter hours in which clicks are counted, and partitions of tables. */

export { dayMs, dropPartitions, ensurePartitions } from "./partitions.ts";

/** A quarter hour divides the offset of every zone. */
export const slotMs = 900_000;

/** The start of the slot of a moment, in milliseconds. */
export function slotOf(at: number): number {
  return Math.floor(at / slotMs) * slotMs;
}
