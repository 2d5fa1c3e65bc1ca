/**
 * The engine that writes links: pks (ranges.ts), codes that are ready (pool.ts), names (claims.ts), rows (store.ts) and
 * group commits (commit.ts).
 */
export { claimKeys, dropNames, findTakenName } from "./claims.ts";
export { commitCounters, commitLink, commitMatch, drainCommits, renewPks } from "./commit.ts";
export { insertUnmatched, type Matched } from "./match.ts";
export { openPool, takeCodes } from "./pool.ts";
export { leaseRange } from "./ranges.ts";
export { digestOf, sweepRepeats } from "./repeats.ts";
export {
  columnsJson,
  type Draft,
  type LinkColumn,
  type LinkRow,
  linkColumns,
  type PlainColumn,
  plainColumns,
  plainNames,
  type Repeat,
  recordsOf,
  type Written,
} from "./row.ts";
export { aliasChanges, insertFull, isExternalIdTaken, RefusedPks } from "./store.ts";
