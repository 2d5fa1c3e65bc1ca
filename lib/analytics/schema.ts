/** What can be asked about clicks, and what the answers look like. */
import { z } from "zod";

export const intervals = ["24h", "7d", "30d", "90d", "1y"] as const;
export const interval = z.enum(intervals);
export type Interval = z.infer<typeof interval>;

export interface Point {
  /** Begin of the bucket, ISO 8601 */
  start: string;
  clicks: number;
  visitors: number;
}

export interface Totals {
  clicks: number;
  visitors: number;
  scans: number;
  bots: number;
}
