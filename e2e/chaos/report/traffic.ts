/** Visits and creates during a fault, and what became of them. */
import { Agent } from "node:http";
import { hasErrorCode } from "../../../scripts/processes.ts";
import { type HttpAnswer, type SendOptions, send } from "../../../test/http-client.ts";
import { apiKey, browser, pause } from "../stage.ts";

const visitors = 8;
const creators = 2;
/** A client that hears nothing for this long gives up. */
const patienceMs = 3_000;

export interface Traffic {
  visits: { sent: number; answered: number; wrong: number; later: number; unanswered: number };
  /** The longest time without a redirect for any visitor, and without a created link for any client. */
  longestVisitPauseMs: number;
  longestCreatePauseMs: number;
  /** URL by key of each acknowledged link. */
  links: Map<string, string>;
  /** Resolves once a visit and a create that were sent from now on have succeeded. */
  recovered: () => Promise<void>;
  stop: () => Promise<void>;
}

interface Given {
  urls: { redirect: string; api: string };
  /** URL by key. */
  visited: ReadonlyMap<string, string>;
  /** Starts the destinations of created links. */
  name: string;
}

export function startTraffic({ urls, visited, name }: Given): Traffic {
  const agent = new Agent({ keepAlive: true, maxSockets: visitors + creators });
  const targets = [...visited];
  let running = true;
  let made = 0;
  let lastVisit = performance.now();
  let lastCreate = lastVisit;
  const seen: Traffic = {
    visits: { sent: 0, answered: 0, wrong: 0, later: 0, unanswered: 0 },
    longestVisitPauseMs: 0,
    longestCreatePauseMs: 0,
    links: new Map(),
    recovered: async () => {
      const [answered, acknowledged] = [seen.visits.answered, seen.links.size];
      // As many as are under way may still belong to the time before.
      while (
        seen.visits.answered <= answered + visitors ||
        seen.links.size <= acknowledged + creators
      ) {
        await pause(5);
      }
    },
    stop: async () => {
      running = false;
      await all;
      agent.destroy();
    },
  };

  function note(answer: Answer, url: string | undefined): void {
    const { visits } = seen;
    // It never arrived.
    if (answer === "refused") visits.sent -= 1;
    else if (answer === undefined) visits.unanswered += 1;
    else if (answer.status === 503) visits.later += 1;
    else if (answer.status !== 302 || answer.headers.location !== url) visits.wrong += 1;
    else {
      visits.answered += 1;
      const now = performance.now();
      seen.longestVisitPauseMs = Math.max(seen.longestVisitPauseMs, now - lastVisit);
      lastVisit = now;
    }
  }

  async function visitor(first: number): Promise<void> {
    for (let at = first; running; at++) {
      const [key = "", url] = targets[at % targets.length] ?? [];
      seen.visits.sent += 1;
      const headers = { "user-agent": browser };
      note(await ask(`${urls.redirect}/${key}`, { agent, headers }), url);
      await pause(5);
    }
  }

  async function creator(): Promise<void> {
    while (running) {
      made += 1;
      const url = `https://example.com/${name}/${made}`;
      const answer = await ask(`${urls.api}/api/links`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${apiKey}` },
        body: JSON.stringify({ url }),
        agent,
      });
      if (answer !== "refused" && answer?.status === 200) {
        seen.links.set(JSON.parse(answer.text).key, url);
        const now = performance.now();
        seen.longestCreatePauseMs = Math.max(seen.longestCreatePauseMs, now - lastCreate);
        lastCreate = now;
      }
      await pause(10);
    }
  }

  const all = Promise.all([
    ...Array.from({ length: visitors }, (_, at) => visitor(at)),
    ...Array.from({ length: creators }, creator),
  ]);
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
