import { exposeCounters } from "#lib/platform/log";

export const commitCounters = {
  pksRefused: 0,
  keysRedrawn: 0,
  batches: 0,
  links: 0,
  lostConnections: 0,
};
exposeCounters("link_commits", "Links written, and conflicts and retries.", commitCounters);
