/** Metrics: how visits ended. */
import { exposeCounters } from "#lib/platform/log";
import type { PageName } from "./page-texts.ts";

export const outcomes: Record<PageName | "sentOn" | "sentElsewhere" | "preview", number> = {
  sentOn: 0,
  /** To the URL that a domain or a link has for missing or expired links. */
  sentElsewhere: 0,
  preview: 0,
  missing: 0,
  ended: 0,
  early: 0,
  banned: 0,
  unavailable: 0,
  refused: 0,
  password: 0,
  wrongPassword: 0,
  tooMany: 0,
  people: 0,
};
exposeCounters("visits", "Visits, by result.", outcomes);
