/**
 * Parses what strangers send: files, archives, XML, HTML and images.
 *
 * A process that answers visitors must never do that itself: one document that parses slowly would stop the redirects of
 * every tenant. It hands the document to one of a few warm child processes. A child has no settings and no secrets, a low
 * priority, and limits on CPU time and memory; one that exceeds them is killed and replaced.
 *
 *     run() ──▶ lane (turns between workspaces) ──▶ idle child, or a new one ──▶ result
 *                 full: 503                          │ limit, crash: 422 · lost: 503 · client left: killed
 *
 * A parser is defined where its subject lives, and listed in workers/parser.ts.
 */

import { FairQueue } from "#lib/basics/bounds";
import { AppError } from "#lib/platform/errors";
import { ParserChildren } from "./children.ts";
import { lanes } from "./limits.ts";

export { serveParsers } from "./serving.ts";

export type Lane = keyof typeof lanes;

/** Who sent the document. Workspaces take turns. */
export interface Sender {
  workspaceId: string;
  /** Ends the work when the client leaves. */
  signal?: AbortSignal | undefined;
}

interface ParserRules<Input, Output> {
  name: string;
  lane: Lane;
  /** More than the largest acceptable document takes on a slow machine. */
  cpuMsMax: (input: Input) => number;
  parse: (input: Input) => Output | Promise<Output>;
  /** The error for a document that exceeds the limits, or breaks its parser. */
  refusal: () => AppError;
}

export interface Parser<Input, Output> extends ParserRules<Input, Output> {
  /** Parses in a child process. Input and output are what `structuredClone` accepts. */
  run: (input: Input, sender: Sender) => Promise<Output>;
}

export function defineParser<Input, Output>(
  rules: ParserRules<Input, Output>,
): Parser<Input, Output> {
  return { ...rules, run: (input, sender) => run(rules, input, sender) };
}

const retryAfterSeconds = 5;
const children = new ParserChildren();
const queues: Record<Lane, FairQueue> = {
  quick: new FairQueue(lanes.quick),
  long: new FairQueue(lanes.long),
};

/** Called once by the entry of a process. `warm`: so many children always wait for documents. */
export function openParsers({ warm }: { warm: number }, programOfTest?: URL): void {
  children.open(warm, programOfTest);
}

async function run<Input, Output>(
  { name, lane, cpuMsMax, refusal }: ParserRules<Input, Output>,
  input: Input,
  { workspaceId, signal }: Sender,
): Promise<Output> {
  // defence: parser-quick-lane
  const queue = queues[lane];
  const owner = { group: workspaceId, member: workspaceId };
  // defence: parser-queue-limit
  if (!queue.hasRoom(owner, 1)) throw unavailable();
  return await queue.run(owner, async () => {
    if (signal?.aborted) throw clientLeft();
    const outcome = await children.ask({ name, input, cpuMsMax: cpuMsMax(input) }, signal);
    if (outcome.kind === "parsed") return outcome.output as Output;
    if (outcome.kind === "failed") throw outcome.error;
    if (outcome.kind === "left") throw clientLeft();
    throw outcome.kind === "refused" ? refusal() : unavailable();
  });
}

function unavailable(): AppError {
  const message = `Too many files are being read. Try again in ${retryAfterSeconds} seconds.`;
  return new AppError("service_unavailable", message, { retryAfterSeconds });
}

/** Nobody reads this response. */
function clientLeft(): AppError {
  return new AppError("bad_request", "The connection was closed before the file was read.");
}
