/**
 * Entries are recorded far down the call stack, so an AsyncLocalStorage passes the origin of the
 * request. In Node 20 it slows down every promise, so it is disabled while no request needs it.
 */
import { AsyncLocalStorage } from "node:async_hooks";

export interface RequestOrigin {
  address: string;
  agent: string;
}

const addressCharsMax = 64;
const agentCharsMax = 300;

const origins = new AsyncLocalStorage<RequestOrigin>();
let activeRequests = 0;

export async function withOrigin<T>(origin: RequestOrigin, run: () => Promise<T>): Promise<T> {
  activeRequests += 1;
  try {
    return await origins.run(storable(origin), run);
  } finally {
    activeRequests -= 1;
    if (activeRequests === 0) origins.disable();
  }
}

export function currentOrigin(): RequestOrigin | undefined {
  return activeRequests === 0 ? undefined : origins.getStore();
}

/** PostgreSQL cannot store NUL or half a surrogate pair. */
function storable({ address, agent }: RequestOrigin): RequestOrigin {
  return {
    address: address.slice(0, addressCharsMax),
    agent: agent
      .replace(/\p{Cc}/gu, " ")
      .slice(0, agentCharsMax)
      .toWellFormed(),
  };
}
