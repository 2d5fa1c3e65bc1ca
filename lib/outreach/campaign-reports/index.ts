/** What became of the messages of campaigns, and who clicked. Counted anew at each read. */
import { getCampaign } from "#lib/outreach/campaigns";
import type { Campaign } from "#lib/outreach/campaigns/schema";
import { addCosts, costOf } from "#lib/outreach/segments";
import { getSendableRow } from "#lib/outreach/sending";
import type { SendState } from "#lib/outreach/sending/schema";
import {
  type Cell,
  csvLine,
  type SentFile,
  utf8Mark,
  withExportSlot,
} from "#lib/platform/downloads";
import { query } from "#lib/platform/postgres";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { readFirstClicks } from "./first-clicks.ts";
import {
  type CampaignReport,
  type CompareCampaigns,
  checkerSeconds,
  type DetailedReport,
  delaySteps,
} from "./schema.ts";

type Base = CampaignReport["rateOf"];
type CountName = "messages" | "parts" | "opted_out" | "clicked" | "clicks" | "at_delivery";

const sentStates = ["accepted", "delivered", "failed"];

/** Includes when, where and on which devices recipients clicked first. Throws not_found. */
export async function getCampaignReport(
  scope: WorkspaceScope,
  id: string,
): Promise<DetailedReport> {
  assertMay(scope, "campaigns.read");
  const { pk } = await getSendableRow(scope, id);
  const [report, details] = await Promise.all([
    summarizeCampaign(scope, id),
    readFirstClicks(scope, pk),
  ]);
  return { ...report, ...details };
}

export async function exportCampaignReport(scope: WorkspaceScope, id: string): Promise<SentFile> {
  return reportFile(await getCampaignReport(scope, id));
}

async function summarizeCampaign(scope: WorkspaceScope, id: string): Promise<CampaignReport> {
  assertMay(scope, "campaigns.read");
  const campaign = await getCampaign(scope, id);
  const { pk, erasing } = await getSendableRow(scope, id);
  const rows = await countMessages(pk);
  const rateOf = baseOf(rows);
  const figures = (some: readonly CountRow[]) => figuresOf(some, { campaign, rateOf, erasing });
  return {
    campaignId: id,
    name: campaign.name,
    rowsRefused: campaign.refused,
    rateOf,
    currency: campaign.prices?.currency ?? null,
    ...figures(rows),
    variants: campaign.variants.map(({ name }, at) => ({
      name,
      ...figures(rows.filter(({ variant }) => variant === at)),
    })),
    firstClicks: firstClicksOf(rows),
    codes: codesOf(rows),
  };
}

/** In the order of the ids. Throws not_found. */
export async function compareCampaigns(
  scope: WorkspaceScope,
  { campaignIds }: CompareCampaigns,
): Promise<CampaignReport[]> {
  const reports: CampaignReport[] = [];
  // Not in parallel: each reads all recipients of a campaign.
  for (const id of campaignIds) reports.push(await summarizeCampaign(scope, id));
  return reports;
}

function isIn(base: Base, { state }: CountRow): boolean {
  if (base === "recipients") return true;
  if (base === "delivered") return state === "delivered";
  return state !== null && sentStates.includes(state);
}

/** All variants use the same base, so that their rates can be compared. */
function baseOf(rows: readonly CountRow[]): Base {
  const bases = ["delivered", "sent"] as const;
  return bases.find((base) => rows.some((row) => isIn(base, row))) ?? "recipients";
}

function sum(rows: readonly CountRow[], name: CountName): number {
  return rows.reduce((total, row) => total + row[name], 0);
}

function messagesOf(rows: readonly CountRow[], isMatch: (row: CountRow) => boolean): number {
  return sum(rows.filter(isMatch), "messages");
}

interface Counted {
  campaign: Campaign;
  rateOf: Base;
  erasing: boolean;
}

function figuresOf(rows: readonly CountRow[], { campaign: { prices }, rateOf, erasing }: Counted) {
  const inState = (state: CountRow["state"]) => messagesOf(rows, (row) => row.state === state);
  const rated = rows.filter((row) => isIn(rateOf, row));
  const ratedMessages = sum(rated, "messages");
  return {
    recipients: sum(rows, "messages"),
    refused: inState("refused"),
    sent: messagesOf(rows, (row) => isIn("sent", row)),
    delivered: inState("delivered"),
    failed: inState("failed"),
    unknown: inState("unknown"),
    optedOut: erasing ? null : sum(rows, "opted_out"),
    clicked: sum(rows, "clicked"),
    clicks: sum(rows, "clicks"),
    clickedAtDelivery: sum(rows, "at_delivery"),
    clickRate: ratedMessages === 0 ? null : sum(rated, "clicked") / ratedMessages,
    parts: sum(rows, "parts"),
    cost:
      prices && addCosts(rows.map(({ parts, country }) => costOf(parts, country ?? "", prices))),
  };
}

function firstClicksOf(rows: readonly CountRow[]): CampaignReport["firstClicks"] {
  return [0, ...delaySteps].map((fromSeconds, at) => ({
    fromSeconds,
    untilSeconds: delaySteps[at] ?? null,
    recipients: messagesOf(rows, ({ delay }) => delay === at),
  }));
}

const failures = ["refused", "failed", "unknown", "later"] as const;

function codesOf(rows: readonly CountRow[]): CampaignReport["codes"] {
  const codes = new Map<string, CampaignReport["codes"][number]>();
  for (const { state, code, messages } of rows) {
    const failure = failures.find((one) => one === state);
    if (failure === undefined || code === null) continue;
    const name = `${failure} ${code}`;
    const known = codes.get(name);
    codes.set(name, { state: failure, code, messages: (known?.messages ?? 0) + messages });
  }
  return [...codes.values()].sort((a, b) => b.messages - a.messages || (a.code < b.code ? -1 : 1));
}

const header = ["table", "name", "figure", "value"];
const figures = [
  "recipients",
  "refused",
  "sent",
  "delivered",
  "failed",
  "unknown",
  "optedOut",
  "clicked",
  "clicks",
  "clickedAtDelivery",
  "clickRate",
  "parts",
  "cost",
] as const;
type Line = [table: string, name: string, figure: string, value: Cell];

function reportFile(report: DetailedReport): SentFile {
  return withExportSlot({
    name: "fuxi-campaign-report.csv",
    type: "text/csv; charset=utf-8",
    send: (write) =>
      write(Buffer.from(utf8Mark + [header, ...linesOf(report)].map(csvLine).join(""))),
  });
}

function linesOf(report: DetailedReport): Line[] {
  const counted = (table: string, name: string, recipients: number): Line => [
    table,
    name,
    "recipients",
    recipients,
  ];
  return [
    ["campaign", report.name, "rateOf", report.rateOf],
    ["campaign", report.name, "currency", report.currency],
    ["campaign", report.name, "rowsRefused", report.rowsRefused],
    ...figures.map((figure): Line => ["campaign", report.name, figure, report[figure]]),
    ...report.variants.flatMap((variant) =>
      figures.map((figure): Line => ["variant", variant.name, figure, variant[figure]]),
    ),
    ...report.firstClicks.map(({ fromSeconds, untilSeconds, recipients }) =>
      counted("secondsToFirstClick", `${fromSeconds}–${untilSeconds ?? ""}`, recipients),
    ),
    ...report.codes.map(({ state, code, messages }): Line => [state, code, "messages", messages]),
    ...report.clicksByTime.buckets.map(({ start, recipients }) =>
      counted(report.clicksByTime.unit, start, recipients),
    ),
    ...report.countries.map(({ country, recipients }) => counted("country", country, recipients)),
    ...report.cities.map(({ country, city, recipients }) =>
      counted("city", `${country} ${city}`.trim(), recipients),
    ),
    ...report.devices.map(({ device, recipients }) => counted("device", device, recipients)),
  ];
}

interface CountRow {
  variant: number | null;
  country: string | null;
  state: SendState | null;
  code: string | null;
  messages: number;
  parts: number;
  /** How many of delaySteps passed until the first click; null if unknown. */
  delay: number | null;
  opted_out: number;
  clicked: number;
  clicks: number;
  at_delivery: number;
}

/** The cost depends on recipients, not on clicks (100,000: 0.4 s). */
async function countMessages(campaignPk: number): Promise<CountRow[]> {
  return await query<CountRow>({
    // Answered by campaign_recipient_pkey and campaign_send_pkey, all rows of the campaign, then
    // link_pkey, link_stat_pkey and opt_out_phone. The pk of a deleted link is used again. OFFSET 0
    // makes PostgreSQL find the links first: they may be on other servers.
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
