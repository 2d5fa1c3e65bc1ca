/**
 * Reports of campaigns: what became of their messages, and who clicked. They are counted when they are read, from
 * recipients, messages and the counters of links.
 */
import { getCampaign } from "#lib/outreach/campaigns";
import type { Campaign } from "#lib/outreach/campaigns/schema";
import { addCosts, costOf } from "#lib/outreach/segments";
import { getSendableRow } from "#lib/outreach/sending";
import type { SentFile } from "#lib/platform/downloads";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { reportFile } from "./file.ts";
import { readFirstClicks } from "./first-clicks.ts";
import {
  type CampaignReport,
  type CompareCampaigns,
  type DetailedReport,
  delaySteps,
} from "./schema.ts";
import { type CountRow, countMessages } from "./store.ts";

type Base = CampaignReport["rateOf"];
type CountName = "messages" | "parts" | "opted_out" | "clicked" | "clicks" | "at_delivery";

const sentStates = ["accepted", "delivered", "failed"];

/** With when, where and on what recipients clicked first. Throws not_found. */
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

/** The same as CSV. */
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
  // One after another: each reads all recipients of a campaign.
  for (const id of campaignIds) reports.push(await summarizeCampaign(scope, id));
  return reports;
}

function isIn(base: Base, { state }: CountRow): boolean {
  if (base === "recipients") return true;
  if (base === "delivered") return state === "delivered";
  return state !== null && sentStates.includes(state);
}

/** The same for all variants, so that their rates can be compared. */
function baseOf(rows: readonly CountRow[]): Base {
  const bases = ["delivered", "sent"] as const;
  return bases.find((base) => rows.some((row) => isIn(base, row))) ?? "recipients";
}

function sum(rows: readonly CountRow[], name: CountName): number {
  return rows.reduce((total, row) => total + row[name], 0);
}

interface Counted {
  campaign: Campaign;
  rateOf: Base;
  erasing: boolean;
}

function figuresOf(rows: readonly CountRow[], { campaign: { prices }, rateOf, erasing }: Counted) {
  const inState = (state: CountRow["state"]) =>
    sum(
      rows.filter((row) => row.state === state),
      "messages",
    );
  const rated = rows.filter((row) => isIn(rateOf, row));
  const ratedMessages = sum(rated, "messages");
  return {
    recipients: sum(rows, "messages"),
    refused: inState("refused"),
    sent: sum(
      rows.filter((row) => isIn("sent", row)),
      "messages",
    ),
    delivered: inState("delivered"),
    failed: inState("failed"),
    unknown: inState("unknown"),
    optedOut: erasing ? null : sum(rows, "opted_out"),
    clicked: sum(rows, "clicked"),
    clicks: sum(rows, "clicks"),
    clickedAtDelivery: sum(rows, "at_delivery"),
    clickRate: ratedMessages === 0 ? null : sum(rated, "clicked") / ratedMessages,
    parts: sum(rows, "parts"),
    cost: prices && addCosts(costsOf(rows, prices)),
  };
}

function costsOf(rows: readonly CountRow[], prices: Campaign["prices"]): (string | null)[] {
  return rows.map(({ parts, country }) => costOf(parts, country ?? "", prices));
}

function firstClicksOf(rows: readonly CountRow[]): CampaignReport["firstClicks"] {
  return [0, ...delaySteps].map((fromSeconds, at) => ({
    fromSeconds,
    untilSeconds: delaySteps[at] ?? null,
    recipients: sum(
      rows.filter(({ delay }) => delay === at),
      "messages",
    ),
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
