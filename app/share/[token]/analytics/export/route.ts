/** One card of a share as CSV, or all of them as a ZIP archive. */
import { exportShare } from "#lib/analytics/shares";
import { shareRoute, uncached } from "../responses.ts";

export const GET = shareRoute(async (guest, query) => {
  const { name, type, body } = await exportShare(guest, query);
  const headers = {
    ...uncached,
    "Content-Type": type,
    "Content-Disposition": `attachment; filename="${name}"`,
  };
  return new Response(body, { headers });
});
