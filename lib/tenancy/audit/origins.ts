/**
 * From where something is done: the address and the program of the request that is being answered.
 *
 * What records a deed stands many calls below the request, so the origin travels beside the calls, in an
 * AsyncLocalStorage. In Node 20 one that is in use makes every promise of the process dearer, those of redirects and
 * creates too; so it is switched off whenever no request that could leave a deed is being answered.
 */
import { AsyncLocalStorage } from "node:async_hooks";

export interface Origin {
  /** Of the network; empty: unknown. */
  address: string;
  /** What the program says of itself. */
  agent: string;
}

const addressCharsMax = 64;
const agentCharsMax = 300;

const origins = new AsyncLocalStorage<Origin>();
let answering = 0;

/** Runs what answers a request from there. */
export async function fromOrigin<T>(origin: Origin, run: () => Promise<T>): Promise<T> {
  answering += 1;
  try {
    return await origins.run(storable(origin), run);
  } finally {
    answering -= 1;
    if (answering === 0) origins.disable();
  }
}

/** Of the request that is being answered; undefined for what nobody asked for. */
export function currentOrigin(): Origin | undefined {
  return answering === 0 ? undefined : origins.getStore();
}

/** No text of PostgreSQL holds a NUL or half a character. */
function storable({ address, agent }: Origin): Origin {
  return {
    address: address.slice(0, addressCharsMax),
    agent: agent
      .replace(/\p{Cc}/gu, " ")
      .slice(0, agentCharsMax)
      .toWellFormed(),
  };
}
