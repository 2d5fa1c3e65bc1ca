/** Divisions of time: slots, the quarter hours in which clicks are counted, and partitions of tables. */

export { dropPartitions, ensurePartitions } from "./partitions.ts";

/**
 * The tables that an installation on Citus distributes by their workspace (prisma/distribute.ts); the first one decides
 * where the shards of the others are.
 */
export const clickTables = [
  "analytics.click",
  "analytics.touched_slot",
  "analytics.link_slot",
  "analytics.value_slot",
  "analytics.link_day",
  "analytics.value_day",
  "analytics.link_month",
  "analytics.value_month",
] as const;

/** A quarter hour divides the offset of every zone. */
export const slotMs = 900_000;

/** The start of the slot of a moment, in milliseconds. */
export function slotOf(at: number): number {
  return Math.floor(at / slotMs) * slotMs;
}
