/**
 * Redirects at a fixed rate, alternately alone and beside other work. The two phases of a pair follow each other, in
 * changing order, so that a slow phase of the machine affects both.
 */
import { median, putLoad, type Stage } from "./stage.ts";
import { putLinks, visitsOf } from "./visits.ts";

const hotLinks = 1_000;
/** The first pairs do not count: what runs for the first times is still being compiled. */
const warmUpPairs = 1;
/** Long enough for many batches and pauses of a worker. */
const secondsPerPhase = 20;
const visitors = 500;
export const rate = 2_000;

export interface Work {
  pairs: number;
  /** Works until the visits end. Returns how much was done; undefined: nothing was left to do, and the pair does not count. */
  workWhile: (isVisited: () => boolean) => Promise<number | undefined>;
}

interface Phase {
  p99Ms: number;
  errors: number;
  requestsPerSecond: number;
}

interface Pair {
  alone: Phase;
  beside: Phase & { done: number };
}

/** The median ratio of the two p99, with the work that was done in a second. */
export async function measureBeside(stage: Stage, { pairs: wanted, workWhile }: Work) {
  const hot = await putLinks(hotLinks);
  const redirect = await stage.run("workers/redirect.ts");
  const pauseMs = Math.floor((visitors * 900) / rate);
  const script = visitsOf(
    hot.map(({ key }) => `/${key}`),
    { pauseMs },
  );
  const visit = async (): Promise<Phase> => {
    const load = { connections: visitors, seconds: secondsPerPhase, isUrgent: true };
    const url = `http://localhost:${redirect.port}`;
    const { p99Ms, errors, requestsPerSecond } = await putLoad(url, script, load);
    return { p99Ms, errors, requestsPerSecond };
  };
  const visitBeside = async () => {
    let isVisited = true;
    const working = workWhile(() => isVisited);
    const visits = await visit();
    isVisited = false;
    return { ...visits, done: await working };
  };
  const pairs: Pair[] = [];
  for (let at = 0; pairs.length < wanted; at++) {
    const first = at % 2 === 0 ? await visit() : undefined;
    const { done, ...visits } = await visitBeside();
    const alone = first ?? (await visit());
    if (done === undefined) break;
    if (at >= warmUpPairs) pairs.push({ alone, beside: { ...visits, done } });
  }
  await redirect.stop();
  return summarize(pairs);
}

function summarize(pairs: Pair[]) {
  return {
    rate,
    pairs,
    aloneP99Ms: median(pairs.map(({ alone }) => alone.p99Ms)),
    besideP99Ms: median(pairs.map(({ beside }) => beside.p99Ms)),
    donePerSecond: median(pairs.map(({ beside }) => beside.done / secondsPerPhase)),
    errors: pairs.reduce((sum, { alone, beside }) => sum + alone.errors + beside.errors, 0),
    p99Ratio: median(pairs.map(({ alone, beside }) => beside.p99Ms / alone.p99Ms)),
  };
}
