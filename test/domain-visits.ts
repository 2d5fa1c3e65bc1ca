/** For tests: domains that were added long ago, and visits of some days, which are counted. */
import { rollDays, rollSlots } from "#lib/analytics/rollups";
import { ensurePartitions } from "#lib/analytics/time-slots";
import { createDomain } from "#lib/links/domains";
import { createDomainBody } from "#lib/links/domains/schema";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";

export const dayMs = 86_400_000;
export const today = Math.floor(Date.now() / dayMs) * dayMs;
/** The morning of a day. Clicks of yesterday and before are counted by then. */
export const morning = (days: number) => new Date(today + days * dayMs + 6 * 3_600_000);

let claimed = 0;

/** A domain that has been active for 90 days. */
export async function claimDomain(scope: WorkspaceScope): Promise<string> {
  claimed += 1;
  const slug = `go${claimed}.localhost`;
  const domain = await createDomain(scope, createDomainBody.parse({ slug }));
  await query(sql`
    UPDATE domain SET claimed_at = now() - interval '90 days', verified_at = now() - interval '90 days'
    WHERE id = ${domain.id}`);
  return slug;
}

interface Visits {
  slug: string;
  /** Days before today. */
  from: number;
  until: number;
  browser: string;
  /** A day. */
  count: number;
  bot?: boolean;
}

/** Visits of some days, each in the ten minutes after eight o’clock. */
export async function putVisits(scope: WorkspaceScope, ...all: Visits[]): Promise<void> {
  const days = Array.from({ length: 50 }, (_, at) => today - at * dayMs);
  await ensurePartitions(["click", "link_slot", "value_slot", "link_day", "value_day"], days);
  for (const { slug, from, until, browser, count, bot = false } of all) {
    await query(sql`
      WITH new AS (
        INSERT INTO analytics.click (at, link_pk, workspace_pk, domain_pk, bot, qr, first_of_link,
          first_of_workspace, id, visitor, browser)
        SELECT ${new Date(today)}::timestamptz - day * interval '1 day' + interval '8 hours'
            + n * interval '10 minutes' / ${count},
          1, ${scope.workspacePk}::int, (SELECT pk FROM domain WHERE slug = ${slug}), ${bot}, false, false,
          false, gen_random_uuid(), n, ${browser}
        FROM generate_series(${until}::int, ${from}::int) AS day, generate_series(1, ${count}::int) AS n
        RETURNING workspace_pk, at
      )
      INSERT INTO analytics.touched_slot (workspace_pk, slot)
      SELECT DISTINCT workspace_pk, date_bin('15 minutes', at, 'epoch') FROM new
      ON CONFLICT (workspace_pk, slot) DO UPDATE SET marks = touched_slot.marks + 1`);
  }
  await countVisits();
}

export async function countVisits(): Promise<void> {
  while ((await rollSlots(morning(0))) > 0);
  await rollDays(morning(0));
}

/** Five weeks with 40 visits in WeChat and 60 others a day, until some day. */
export function putUsualVisits(scope: WorkspaceScope, slug: string, until: number): Promise<void> {
  return putVisits(
    scope,
    { slug, from: 40, until, browser: "WeChat", count: 40 },
    { slug, from: 40, until: 1, browser: "Chrome", count: 60 },
  );
}
