/** Visits and creates during a fault, and what became of them. */
import { Agent } from "node:http";
import { hasErrorCode } from "../../../scripts/processes.ts";
import { type HttpAnswer, type SendOptions, send } from "../../../test/http-client.ts";
import { apiKey, browser, pause } from "../stage.ts";

/** At the same time. */
export const visitors = 8;
const creators = 2;
/** A client that hears nothing for this long gives up. */
const patienceMs = 3_000;

export interface Visits {
  counts: { sent: number; answered: number; wrong: number; later: number; unanswered: number };
  /** The longest time without a redirect for any visitor. */
  longestPauseMs: number;
  /** Resolves once visits that were sent from now on have succeeded. */
  recovered: () => Promise<void>;
  stop: () => Promise<void>;
}

export interface Creates {
  /** URL by key of each acknowledged link. */
  links: Map<string, string>;
  /** The longest time without a created link for any client. */
  longestPauseMs: number;
  recovered: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Visits addresses under `url` with known destinations, one after the other. */
export function startVisits(url: string, visited: ReadonlyMap<string, string>): Visits {
  const agent = new Agent({ keepAlive: true, maxSockets: visitors });
  const targets = [...visited];
  let running = true;
  let last = performance.now();
  const counts = { sent: 0, answered: 0, wrong: 0, later: 0, unanswered: 0 };

  function note(answer: Answer, expected: string | undefined): void {
    // It never arrived.
    if (answer === "refused") counts.sent -= 1;
    else if (answer === undefined) counts.unanswered += 1;
    else if (answer.status === 503) counts.later += 1;
    else if (answer.status !== 302 || answer.headers.location !== expected) counts.wrong += 1;
    else {
      counts.answered += 1;
      const now = performance.now();
      seen.longestPauseMs = Math.max(seen.longestPauseMs, now - last);
      last = now;
    }
  }

  async function visitor(first: number): Promise<void> {
    for (let at = first; running; at++) {
      const [key = "", expected] = targets[at % targets.length] ?? [];
      counts.sent += 1;
      const headers = { "user-agent": browser };
      note(await ask(`${url}/${key}`, { agent, headers }), expected);
      await pause(5);
    }
  }

  const all = Promise.all(Array.from({ length: visitors }, (_, at) => visitor(at)));
  const seen: Visits = {
    counts,
    longestPauseMs: 0,
    recovered: async () => {
      const { answered } = counts;
      // As many as are under way may still belong to the time before.
      while (counts.answered <= answered + visitors) await pause(5);
    },
    stop: async () => {
      running = false;
      await all;
      agent.destroy();
    },
  };
  return seen;
}

/** Creates links through the API at `url`. `name` starts their destinations. */
export function startCreates(url: string, name: string): Creates {
  const agent = new Agent({ keepAlive: true, maxSockets: creators });
  let running = true;
  let made = 0;
  let last = performance.now();

  async function creator(): Promise<void> {
    while (running) {
      made += 1;
      const target = `https://example.com/${name}/${made}`;
      const answer = await ask(`${url}/api/links`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${apiKey}` },
        body: JSON.stringify({ url: target }),
        agent,
      });
      if (answer !== "refused" && answer?.status === 200) {
        seen.links.set(JSON.parse(answer.text).key, target);
        const now = performance.now();
        seen.longestPauseMs = Math.max(seen.longestPauseMs, now - last);
        last = now;
      }
      await pause(10);
    }
  }

  const all = Promise.all(Array.from({ length: creators }, creator));
  const seen: Creates = {
    links: new Map(),
    longestPauseMs: 0,
    recovered: async () => {
      const { size } = seen.links;
      while (seen.links.size <= size + creators) await pause(5);
    },
    stop: async () => {
      running = false;
      await all;
      agent.destroy();
    },
  };
  return seen;
}

/** Undefined: it was sent and never answered. */
type Answer = HttpAnswer | "refused" | undefined;

async function ask(url: string, sending: SendOptions): Promise<Answer> {
  try {
    return await send(url, { ...sending, timeoutMs: patienceMs });
  } catch (error) {
    return hasErrorCode(error, "ECONNREFUSED") ? "refused" : undefined;
  }
}
