import type { Threat } from "#lib/basics/abuse/schema";

export interface Verdict {
  /** Null: nothing is known against the URL. */
  threat: Threat | null;
  /** Until when the verdict may be used, in milliseconds since 1970. */
  expiresAt: number;
}

export interface ReputationChecker {
  /** Returns one verdict per URL. Throws if the service does not answer. */
  check: (urls: readonly string[], now: number) => Promise<Map<string, Verdict>>;
}
