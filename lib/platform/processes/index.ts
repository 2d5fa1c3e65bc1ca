/** Processes: how they start, stop, run as several, and start others. */
export { forkProgram, programOf, runChild } from "./children.ts";
export { allowToClose, closeAll, onClose, reportReady, superviseProcess } from "./lifecycle.ts";
export { lowerPriority, raisePriority } from "./priority.ts";
export { runProcesses } from "./processes.ts";
export { nameSourceLines } from "./stack-traces.ts";
