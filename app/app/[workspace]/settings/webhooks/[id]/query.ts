import { deliveryStates, type ListDeliveries } from "#lib/outreach/webhooks/schema";
import { webhookEventTypes } from "#lib/tenancy/webhook-events/schema";
import type { SearchParams } from "../../../../../pages.tsx";

const deliveriesPerPage = 25;

/** One more than a page, to detect whether another one follows. */
export function queryOf({ state, event, after }: SearchParams): ListDeliveries {
  return {
    state: deliveryStates.find((one) => one === state),
    type: webhookEventTypes.find((one) => one === event),
    startingAfter: typeof after === "string" && /^evt_\w{1,40}$/.test(after) ? after : undefined,
    pageSize: deliveriesPerPage + 1,
  };
}

/** A request with a hundred clicks takes two hundred kilobytes. */
const requestCharsMax = 8_000;

/** Shortens a body for the page. The API returns all of it. */
export function shortened(request: string): string {
  return request.length > requestCharsMax ? `${request.slice(0, requestCharsMax)}…` : request;
}

export function cut<Row extends { id: string }>(
  found: readonly Row[],
  { state, type, startingAfter }: ListDeliveries,
  path: string,
) {
  const rows = found.slice(0, deliveriesPerPage);
  const address = (after: string | undefined) => {
    const named = Object.entries({ state, event: type, after });
    const given = named.filter((pair): pair is [string, string] => pair[1] !== undefined);
    return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path;
  };
  return {
    rows,
    first: startingAfter ? address(undefined) : undefined,
    next: found.length > deliveriesPerPage ? address(rows.at(-1)?.id) : undefined,
  };
}
