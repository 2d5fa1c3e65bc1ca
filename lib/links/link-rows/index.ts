/**
 * Every statement that writes a row of `link`, its names (`alias`) and its tags (`link_tag`), so
 * that no caller forgets dependent rows: names, search texts, moves for the sums of tags and
 * folders, erasure of stats.
 */
export { backdateLinks, changedColumns, markBanned, renameLink, updateLinks } from "./change.ts";
export { type DeletedLink, deleteLinks, listNewest } from "./delete.ts";
export {
  alreadyImported,
  findOrigins,
  insertPlainRows,
  insertRows,
  isExternalIdTaken,
  lockOrigins,
  pkTriesMax,
} from "./insert.ts";
export { lockFreeLinks, lockLinks } from "./locks.ts";
export { moveToWorkspace, unfileBatch, untagBatch, type WorkspaceMove } from "./move.ts";
export { claimNames, dropNames } from "./name-claims.ts";
export { restoreDeleted } from "./restore.ts";
export {
  dueDate,
  keepRows,
  lockDue,
  lockEnded,
  type Position,
  planRetirements,
  retireRows,
} from "./retire.ts";
export type { LinkRow } from "./row.ts";
