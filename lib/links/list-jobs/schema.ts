/** Changes of all links of a list: their limits and their public form. */
import type { ListChange } from "#lib/links/editing/schema";

/** A change; `only`: of those links that the lists of destinations refuse. */
export type StoredChange = ListChange & { only?: "refused" };

/** Links per transaction. */
export const stepLinks = 500;
/** Unfinished jobs of a workspace. */
export const openJobsMax = 5;
/** Jobs are deleted, and changes can no longer be undone, this long after their end. */
export const keptHours = 24;

export const listJobStates = [
  "waiting",
  "running",
  "done",
  "failed",
  "undo_waiting",
  "undoing",
  "undone",
] as const;
export type ListJobState = (typeof listJobStates)[number];

/** What is done with the links. */
export type ListJobKind =
  | "delete"
  | "archive"
  | "unarchive"
  | "disable"
  | "enable"
  | "move"
  | "tag";

export function kindOf(change: StoredChange): ListJobKind {
  if ("delete" in change) return "delete";
  if (change.archived !== undefined) return change.archived ? "archive" : "unarchive";
  if (change.disabled !== undefined) return change.disabled ? "disable" : "enable";
  return change.folderId === undefined ? "tag" : "move";
}

export interface ListJob {
  id: string;
  state: ListJobState;
  kind: ListJobKind;
  /** Matching links at the start, and how many of them are done, changed, and left alone. */
  total: number;
  done: number;
  changed: number;
  refused: number;
  /** ISO 8601; null: it cannot be undone. */
  undoUntil: string | null;
}
