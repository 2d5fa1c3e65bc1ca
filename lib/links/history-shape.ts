/** Changes of a link as people read them. */

export const historyPageSize = 20;

/** Without its sides: only that it changed is kept. */
export interface FieldChange {
  /** As a Link calls it. */
  field: string;
  from?: unknown;
  to?: unknown;
}

export interface HistoryEntry {
  id: string;
  /** ISO 8601 */
  at: string;
  actor: { id: string; name: string | null; type: "user" | "api_key" | "system" };
  /** `link.edit`, `link.delete`, … */
  action: string;
  changes: FieldChange[];
}

export interface History {
  entries: HistoryEntry[];
  /** Of the link when they were read. */
  revision: number;
  /** Older ones follow. */
  more: boolean;
  /** Of tags and folders that entries name, by their ids. */
  names: Record<string, string>;
}
