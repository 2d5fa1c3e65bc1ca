import { isIP } from "node:net";
import { isLocal, parseHost } from "#lib/links/hosts";

export interface TrafficAdvice {
  type: "CNAME" | "A" | "AAAA";
  value: string;
}

/**
 * The record to try on an instance that does not know its public address: visitors may reach it at
 * the address of this page. Proves nothing. Undefined for local addresses.
 */
export function adviseTraffic(hostHeader: string): TrafficAdvice | undefined {
  const name = hostHeader.replace(/:\d+$/, "").replace(/^\[|\]$/g, "");
  const family = isIP(name);
  if (/^127\.|^0\.0\.0\.0$|^::1?$/.test(name) || isLocal(name)) return undefined;
  if (family !== 0) return { type: family === 4 ? "A" : "AAAA", value: name };
  const parsed = parseHost(name);
  return parsed.ok ? { type: "CNAME", value: parsed.host } : undefined;
}
