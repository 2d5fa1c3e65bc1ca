/** Whether a link redirects at this moment. */

import type { PageName } from "./page-texts.ts";
import type { Target } from "./target.ts";

export type ClosedPage = [status: number, page: PageName];

/** The page of a link that does not redirect at this moment. */
export function closedPageOf(target: Target, now: number): ClosedPage | undefined {
  if (target.state === "b") return [451, "banned"];
  if (target.state === "d") return [410, "ended"];
  if (target.startsAt > now) return [404, "early"];
  if (target.endsAt > 0 && target.endsAt <= now) return [410, "ended"];
  return undefined;
}
