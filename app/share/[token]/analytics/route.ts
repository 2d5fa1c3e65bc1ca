/** The stats of a share, with the queries and answers of the API. */
import { queryShare } from "#lib/analytics/shares";
import { shareRoute, uncached } from "./responses.ts";

export const GET = shareRoute(async (guest, query) =>
  Response.json(await queryShare(guest, query), { headers: uncached }),
);
