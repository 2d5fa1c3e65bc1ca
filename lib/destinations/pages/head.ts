/** Fetches only the head of a page, and parses it in a parsing child process, because strangers wrote it. */
import { AppError } from "#lib/platform/errors";
import { defineParser, type Sender } from "#lib/platform/parsers";
import { type FetchOutcome, fetchPublic, type OutgoingLimits } from "#lib/platform/safe-fetch";
import { type PageBytes, type PageHead, parseHead } from "./parser.ts";

export type { PageHead } from "./parser.ts";

const cpuMsMax = () => 1_000;

export const pageParser = defineParser({
  name: "page",
  lane: "quick",
  cpuMsMax,
  parse: (page: PageBytes): PageHead => parseHead(page),
  refusal: () =>
    new AppError("unprocessable_entity", "url: The destination is too complex to be read."),
});

const pageTypes = /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i;

/** Fetches a page up to the end of its head. Throws what the parser throws. */
export async function fetchHead(
  url: string,
  limits: OutgoingLimits,
  sender: Sender,
): Promise<{ ok: true; head: PageHead } | Extract<FetchOutcome, { ok: false }>> {
  let collector: HeadCollector | undefined;
  const fetched = await fetchPublic({
    url,
    accept: "text/html,application/xhtml+xml",
    limits,
    open: (page) => {
      if (!pageTypes.test(page.type)) return undefined;
      const collecting = new HeadCollector(page, sender);
      collector = collecting;
      return (part) => collecting.add(part);
    },
  });
  if (!fetched.ok) return fetched;
  if (!collector) return { ok: false, code: "unwanted" };
  return { ok: true, head: await collector.read() };
}

/** Where a head probably ends. Scripts may contain the same text, so only the parser knows. */
const endMark = /<\/head|<body/i;
const endMarkBytes = 6;
/** After this many misleading marks, the page is only parsed again when it is complete. */
const attemptsMax = 3;

class HeadCollector {
  readonly #page: { url: string; type: string };
  readonly #sender: Sender;
  readonly #parts: Uint8Array[] = [];
  /** The end of the previous bytes, because a mark may be cut in two. */
  #tail = "";
  #attempts = 0;
  #head: Promise<PageHead> | undefined;

  constructor({ url, type }: { url: string; type: string }, sender: Sender) {
    this.#page = { url, type };
    this.#sender = sender;
  }

  /** False: the rest of the page is not needed. `read` throws a failure of the parser. */
  async add(part: Uint8Array): Promise<boolean> {
    this.#parts.push(part);
    this.#head = undefined;
    const text = this.#tail + Buffer.from(part).toString("latin1");
    this.#tail = text.slice(1 - endMarkBytes);
    if (this.#attempts === attemptsMax || !endMark.test(text)) return true;
    this.#attempts += 1;
    return await this.read().then(
      ({ ended }) => !ended,
      () => false,
    );
  }

  read(): Promise<PageHead> {
    this.#head ??= pageParser.run(
      { ...this.#page, bytes: Buffer.concat(this.#parts) },
      this.#sender,
    );
    return this.#head;
  }
}
