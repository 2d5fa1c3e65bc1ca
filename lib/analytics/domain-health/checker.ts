/**
 * Services that say in which apps a domain is blocked. Off by default: each is one address (FUXI_DOMAIN_CHECKER), which
 * is asked once a day for each domain.
 *
 * An answer is `{"blocked": ["wechat", "qq"]}`, with the names of apps as in the API. Whatever else happens is no answer
 * and changes nothing: a failure never counts as blocked.
 */
import { z } from "zod";
import { config } from "#lib/platform/config";
import { log } from "#lib/platform/log";
import { type AppName, appNames } from "#lib/platform/request-info/schema";
import { getPublic } from "#lib/platform/safe-fetch";

const timeoutMs = 10_000;
const bytesMax = 10_000;
/** After that many failures in a row, the service is left alone until the next run. */
const failuresMax = 3;

export interface DomainChecker {
  /** The apps that block a host. Undefined: no answer. */
  check: (host: string) => Promise<AppName[] | undefined>;
}

const answerShape = z.object({ blocked: z.array(z.string()) });

/** The configured service, for one run. Undefined: there is none. */
export function openChecker(): DomainChecker | undefined {
  const address = config().FUXI_DOMAIN_CHECKER;
  if (address === undefined) return undefined;
  let failures = 0;
  return {
    check: async (host) => {
      if (failures >= failuresMax) return undefined;
      const blocked = await ask(address.replaceAll("{domain}", encodeURIComponent(host)));
      failures = blocked ? 0 : failures + 1;
      if (failures === failuresMax) log.warn({ event: "domain_checker.unavailable" });
      return blocked;
    },
  };
}

async function ask(url: string): Promise<AppName[] | undefined> {
  const headers = { accept: "application/json" };
  const answer = await getPublic({ url, headers, timeoutMs, bytesMax });
  if (answer.kind !== "answered" || answer.status !== 200) return undefined;
  const parsed = answerShape.safeParse(parseJson(answer.body));
  if (!parsed.success) return undefined;
  return appNames.filter((name) => parsed.data.blocked.includes(name));
}

/** Undefined for invalid JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // SyntaxError
  }
}
