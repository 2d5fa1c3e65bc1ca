/** One source of recipients in its own process. */
import { runSource } from "#lib/outreach/sources";
import { runJobProcess } from "./job-process.ts";

await runJobProcess(runSource);
