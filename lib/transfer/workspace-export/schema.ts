/** An archive of everything in a workspace, as its owners see it. */

export interface Takeout {
  id: string;
  state: "waiting" | "running" | "done" | "failed";
  /** Rows that are written so far. */
  done: number;
  bytes: number | null;
  /** Why it failed, for people who read logs. */
  error: string | null;
  /** ISO 8601 */
  createdAt: string;
  /** ISO 8601; the file is deleted then. */
  expiresAt: string | null;
}
