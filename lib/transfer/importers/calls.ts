/** Requests to the API of another system, and what its answers mean. */
import { getPublic, type PostOutcome, postPublic } from "#lib/platform/safe-fetch";
import { Paused, type ProblemCode, problemOf, Stopped } from "./problems.ts";
import { type SystemName, systemLabels } from "./schema.ts";

const timeoutMs = 30_000;
/** Pages have at most 150 links. */
const bytesMax = 16 * 1_048_576;
/** Pause if the other system does not say how long to wait. */
const limitedSeconds = 60;

export interface ApiRequest {
  path: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  address?: string;
}

/** Returns the parsed JSON of an answer. Throws Paused or Stopped. */
export interface Api {
  get(request: ApiRequest): Promise<unknown>;
  post(request: ApiRequest, form: Readonly<Record<string, string>>): Promise<unknown>;
}

export function apiOf(system: SystemName, address: string): Api {
  const base = address.replace(/\/+$/, "");
  const urlOf = (request: ApiRequest) => {
    const url = new URL(`${request.address ?? base}${request.path}`);
    for (const [name, value] of Object.entries(request.query ?? {})) {
      url.searchParams.set(name, value);
    }
    return url.href;
  };
  return {
    async get(request) {
      const headers = { accept: "application/json", ...request.headers };
      const call = { url: urlOf(request), headers, timeoutMs, bytesMax };
      return jsonOf(system, await getPublic(call));
    },
    async post(request, form) {
      const headers = {
        accept: "application/json",
        "content-type": "application/x-www-form-urlencoded",
        ...request.headers,
      };
      const body = new URLSearchParams(form).toString();
      const call = { url: urlOf(request), headers, body, timeoutMs, bytesMax };
      return jsonOf(system, await postPublic(call));
    },
  };
}

const refusedStatuses = new Set([401, 403]);

function jsonOf(system: SystemName, outcome: PostOutcome): unknown {
  const about = (code: ProblemCode, status = 0) =>
    problemOf(code, { system: systemLabels[system], status });
  if (outcome.kind !== "answered") throw new Paused(about("unreachable"));
  const { status, retryAfterS, body } = outcome;
  if (status === 429) throw new Paused(about("rate_limited"), retryAfterS ?? limitedSeconds);
  if (status === 503 && retryAfterS) throw new Paused(about("unavailable", status), retryAfterS);
  if (status >= 500) throw new Paused(about("unavailable", status));
  if (refusedStatuses.has(status)) throw new Stopped(about("token_refused"));
  if (status === 404) throw new Stopped(about("address_wrong"));
  if (status < 200 || status > 299) throw new Stopped(about("answer_unexpected", status));
  try {
    return JSON.parse(body);
  } catch {
    throw new Paused(about("page_unreadable"));
  }
}
