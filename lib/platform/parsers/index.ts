/**
 * Parses what strangers send: files, archives, XML, HTML and images.
 *
 * A process that answers visitors must not do that itself: one slow document would stop the
 * redirects of every tenant. It hands documents to a few warm child processes without settings and
 * secrets, with low priority and limits on CPU time and memory. A child that exceeds them is killed
 * and replaced.
 *
 *     run() ──▶ lane (turns between workspaces) ──▶ idle child, or a new one ──▶ result
 *                 full: 503                          │ limit, crash: 422 · lost: 503 · client left: killed
 *
 * A parser is defined in the room of its subject and listed in workers/parser.ts.
 */
import { FairQueue } from "#lib/basics/bounds";
import { AppError } from "#lib/platform/errors";
import { ParserChildren } from "./children.ts";
import { lanes } from "./protocol.ts";

export { serveParsers } from "./serving.ts";

export type Lane = keyof typeof lanes;

/** The sender of a document. Workspaces take turns. */
export interface Sender {
  workspaceId: string;
  /** Aborts the work when the client leaves. */
  signal?: AbortSignal | undefined;
}

interface ParserRules<Input, Output> {
  name: string;
  lane: Lane;
  cpuMsMax: (input: Input) => number;
  parse: (input: Input) => Output | Promise<Output>;
  refusal: () => AppError;
}

export interface Parser<Input, Output> extends ParserRules<Input, Output> {
  /** Input and output must be structured-clonable. */
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

function clientLeft(): AppError {
  return new AppError("bad_request", "The connection was closed before the file was read.");
}
