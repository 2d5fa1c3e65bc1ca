/** Whether a link redirects at this moment. */
import type { Target } from "./target.ts";
import type { PageName } from "./words.ts";

export type Closed = [status: number, page: PageName];

/** The page of a link that does not redirect at this moment. */
export function closedAs(target: Target, now: number): Closed | undefined {
  if (target.state === "b") return [451, "banned"];
  if (target.state === "d") return [410, "ended"];
  if (target.startsAt > now) return [404, "early"];
  if (target.endsAt > 0 && target.endsAt <= now) return [410, "ended"];
  return undefined;
}
