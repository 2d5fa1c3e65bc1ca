/** A workspace export, in its public form. */

export interface WorkspaceExport {
  id: string;
  state: "waiting" | "running" | "done" | "failed";
  /** Rows written so far. */
  done: number;
  bytes: number | null;
  /** Why it failed, for people who read logs. */
  error: string | null;
  /** ISO 8601 */
  createdAt: string;
  /** ISO 8601; the file is deleted then. */
  expiresAt: string | null;
}
