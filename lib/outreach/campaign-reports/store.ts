/** The counts of reports. SQL: one pass over the recipients of a campaign. */
import type { SendState } from "#lib/outreach/sending/schema";
import { query } from "#lib/platform/postgres";
import { checkerSeconds, delaySteps } from "./schema.ts";

/** Recipients that have the same in all of these. */
export interface CountRow {
  variant: number | null;
  country: string | null;
  /** null: nothing was sent */
  state: SendState | null;
  code: string | null;
  messages: number;
  parts: number;
  /** Number of the steps that passed until the first click; null: none, or unknown when. */
  delay: number | null;
  opted_out: number;
  clicked: number;
  clicks: number;
  at_delivery: number;
}

/** Clicks are the counters of links: the cost is that of recipients, however often they clicked (100,000: 0.4 s). */
export async function countMessages(campaignPk: number): Promise<CountRow[]> {
  return await query<CountRow>({
    // Answered by campaign_recipient_pkey and campaign_send_pkey, all rows of the campaign, then link_pkey,
    // link_stat_pkey and opt_out_phone. The pk of a deleted link is used again. OFFSET 0: links may be on other servers, and
    // are found before they meet their recipients.
    text: `
      SELECT recipient.variant, recipient.country, send.state, send.code,
        count(*) AS messages,
        coalesce(sum(recipient.parts), 0)::bigint AS parts,
        count(opt_out.pk) AS opted_out,
        count(*) FILTER (WHERE stat.clicks > 0) AS clicked,
        coalesce(sum(stat.clicks), 0)::bigint AS clicks,
        count(*) FILTER (
          WHERE send.state = 'delivered'
            AND stat.first_click_at BETWEEN send.settled_at - $2 * interval '1 second'
              AND send.settled_at + $2 * interval '1 second'
        ) AS at_delivery,
        width_bucket(
          extract(
            epoch FROM stat.first_click_at - coalesce(send.attempted_at, recipient.created_at)
          )::float8,
          $3::float8[]
        ) AS delay
      FROM campaign_recipient AS recipient
      LEFT JOIN campaign_send AS send
        ON send.campaign_pk = recipient.campaign_pk
        AND send.position = recipient.position
      LEFT JOIN (
        SELECT link.pk, link.id, link_stat.clicks, link_stat.first_click_at
        FROM link
        JOIN link_stat ON link_stat.link_pk = link.pk
        WHERE link.pk = ANY(ARRAY(
          SELECT link_pk
          FROM campaign_recipient
          WHERE campaign_pk = $1
            AND state = 'ready'))
        OFFSET 0
      ) AS stat
        ON stat.pk = recipient.link_pk
        AND stat.id = recipient.link_id
      LEFT JOIN opt_out
        ON opt_out.workspace_pk = recipient.workspace_pk
        AND opt_out.phone_hash = recipient.phone_hash
        AND opt_out.created_at >= coalesce(send.attempted_at, recipient.created_at)
      WHERE recipient.campaign_pk = $1
        AND recipient.state = 'ready'
      GROUP BY recipient.variant, recipient.country, send.state, send.code, delay`,
    values: [campaignPk, checkerSeconds, delaySteps],
  });
}
