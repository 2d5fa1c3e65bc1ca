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

/** Polls the state until it is final, and shows a progress line in a terminal. */
export async function follow<State extends Progress>(
  { terminal: { stderr } }: Session,
  read: () => Promise<State>,
): Promise<State> {
  for (;;) {
    const state = await read();
    const isRunning = state.state === "waiting" || state.state === "running";
    if (stderr.isTTY) {
      const percent = state.rows > 0 ? Math.floor((state.done / state.rows) * 100) : 0;
      stderr.write(`\r\u001b[K${state.done} of ${state.rows} rows (${percent}%)`);
      if (!isRunning) stderr.write("\r\u001b[K");
    }
    if (!isRunning) return state;
    await sleep(pollMs);
  }
}
