/** A workspace export, in its public form. */

export interface WorkspaceExport {
  id: string;
  state: "waiting" | "running" | "done" | "failed";
  done: number;
  bytes: number | null;
  /** For people who read logs. */
  error: string | null;
  createdAt: string;
  expiresAt: string | null;
}
