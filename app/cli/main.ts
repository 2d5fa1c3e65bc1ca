#!/usr/bin/env node
/** The command-line program `fuxi`. An instance serves it, bundled by esbuild, at /cli.tgz. */
import { CommanderError } from "commander";
import { CliFailure, exitCodes } from "./failures.ts";
import { buildProgram } from "./program.ts";
import { readOrigin } from "./session.ts";
import { plain, type Terminal } from "./terminal.ts";

const terminal: Terminal = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
};
// The program that reads the results may end first: fuxi list | head
process.stdout.on("error", () => process.exit(exitCodes.ok));

const origin = readOrigin(new URL("package.json", import.meta.url));
const program = buildProgram({ terminal, origin });
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

function report(error: unknown): number {
  // Commander has already written its message or the requested help.
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  }
  if (!(error instanceof CliFailure)) throw error;
  const message = plain(error.message);
  const text = program.opts().json
    ? JSON.stringify({ error: { code: error.code, message } })
    : `fuxi: ${message}`;
  terminal.stderr.write(`${text}\n`);
  return exitCodes[error.exit];
}
