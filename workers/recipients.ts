/** One source of recipients, in a process of its own. */
import { runSource } from "#lib/outreach/sources";
import { runJobProcess } from "./job-process.ts";

await runJobProcess(runSource);
