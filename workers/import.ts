/** One import, in a process of its own. */
import { runImport } from "#lib/transfer/imports";
import { runJobProcess } from "./job-process.ts";

await runJobProcess(runImport);
