import type { ListChange } from "#lib/links/editing/schema";

/** `only` limits the change to links that the lists of destinations refuse. */
export type StoredChange = ListChange & { only?: "refused" };

export const stepLinks = 500;
export const openJobsMax = 5;
/** How long after its end a job is kept and can be undone. */
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

export type ListJobKind =
  | "delete"
  | "archive"
  | "unarchive"
  | "disable"
  | "enable"
  | "move"
  | "replaceHost"
  | "tag";

export function kindOf(change: StoredChange): ListJobKind {
  if ("delete" in change) return "delete";
  if (change.archived !== undefined) return change.archived ? "archive" : "unarchive";
  if (change.disabled !== undefined) return change.disabled ? "disable" : "enable";
  if (change.replaceHost) return "replaceHost";
  return change.folderId === undefined ? "tag" : "move";
}

/** What replacing a host would change, among the newest links of a list. */
export interface HostPreview {
  links: number;
  checked: number;
  /** Older links were not checked. */
  more: boolean;
  samples: { from: string; to: string }[];
}

export interface ListJob {
  id: string;
  state: ListJobState;
  kind: ListJobKind;
  /** Matching links at the start, and how many are finished, changed, and left unchanged. */
  total: number;
  done: number;
  changed: number;
  refused: number;
  /** Null: it cannot be undone. */
  undoUntil: string | null;
}
