/** One import in its own process. */
import { runImport } from "#lib/transfer/imports";
import { runJobProcess } from "./job-process.ts";

await runJobProcess(runImport);
