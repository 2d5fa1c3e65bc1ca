/** Uploads files, and waits until the server has processed them. */
import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CliFailure } from "./failures.ts";
import type { Session } from "./session.ts";

const pollMs = 500;
const nameCharsMax = 200;

/** The request that uploads a file, which is read while it is sent. */
export async function uploadOf(path: string) {
  let file: Blob;
  try {
    file = await openAsBlob(path);
  } catch {
    throw new CliFailure("usage", `${path} can’t be read.`);
  }
  return {
    query: { name: basename(path).slice(-nameCharsMax) },
    request: {
      // Only satisfies the type of the API document. The serializer sends the file instead.
      body: "",
      bodySerializer: () => file,
      headers: { "Content-Type": "application/octet-stream" },
    },
  };
}

interface Progress {
  state: string;
  done: number;
  rows: number;
}

const percentStep = 10;

/** Polls the state until it is final. A terminal shows one line of progress; a log gets a line for each step. */
export async function follow<State extends Progress>(
  { terminal: { stderr } }: Session,
  read: () => Promise<State>,
): Promise<State> {
  let step = -1;
  for (;;) {
    const state = await read();
    const isRunning = state.state === "waiting" || state.state === "running";
    step = showProgress(stderr, state, { isRunning, step });
    if (!isRunning) return state;
    await sleep(pollMs);
  }
}

/** Returns the step that was shown last. */
function showProgress(
  stderr: NodeJS.WriteStream,
  { done, rows }: Progress,
  { isRunning, step }: { isRunning: boolean; step: number },
): number {
  const percent = rows > 0 ? Math.floor((done / rows) * 100) : 0;
  const line = `${done} of ${rows} rows (${percent}%)`;
  const reached = Math.floor(percent / percentStep);
  if (stderr.isTTY) stderr.write(`\r\u001b[K${isRunning ? line : ""}`);
  else if (reached > step) stderr.write(`${line}\n`);
  return Math.max(step, reached);
}
