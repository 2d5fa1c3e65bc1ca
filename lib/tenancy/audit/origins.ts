/**
 * The origin of a change: the address and the user agent of the current request.
 *
 * Audit entries are recorded many calls below the request, so the origin is passed in an AsyncLocalStorage. In Node 20
 * an active one makes every promise of the process slower, including those of redirects and creates; so it is disabled
 * whenever no request that could write an entry is being handled.
 */
import { AsyncLocalStorage } from "node:async_hooks";

export interface RequestOrigin {
  /** Of the network; empty: unknown. */
  address: string;
  /** The user agent. */
  agent: string;
}

const addressCharsMax = 64;
const agentCharsMax = 300;

const origins = new AsyncLocalStorage<RequestOrigin>();
let activeRequests = 0;

/** Runs a handler with this origin. */
export async function withOrigin<T>(origin: RequestOrigin, run: () => Promise<T>): Promise<T> {
  activeRequests += 1;
  try {
    return await origins.run(storable(origin), run);
  } finally {
    activeRequests -= 1;
    if (activeRequests === 0) origins.disable();
  }
}

/** That of the current request; undefined for scheduled work. */
export function currentOrigin(): RequestOrigin | undefined {
  return activeRequests === 0 ? undefined : origins.getStore();
}

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
function storable({ address, agent }: RequestOrigin): RequestOrigin {
  return {
    address: address.slice(0, addressCharsMax),
    agent: agent
      .replace(/\p{Cc}/gu, " ")
      .slice(0, agentCharsMax)
      .toWellFormed(),
  };
}
