import { z } from "zod";
import type { CampaignStatus } from "#lib/outreach/campaigns/schema";
import type { SendState } from "#lib/outreach/sending/schema";

export const campaignStates = [
  "draft",
  "scheduled",
  "sending",
  "paused",
  "finished",
  "cancelled",
] as const;
export type CampaignState = (typeof campaignStates)[number];

export const campaignSteps = ["message", "recipients", "check", "send"] as const;
export type CampaignStep = (typeof campaignSteps)[number];

/** The step at which a campaign was left. */
export function stepOf(campaign: { state: CampaignState; recipients: number }): CampaignStep {
  if (campaign.state !== "draft") return "send";
  return campaign.recipients === 0 ? "recipients" : "check";
}

/** Whether there are messages to start: those of a draft, or of recipients who were added to a campaign that finished. */
export function isStartable({
  recipients,
  sending,
}: Pick<CampaignStatus, "recipients" | "sending">) {
  const noted = Object.values(sending.counts).reduce((sum, count) => sum + count, 0);
  return sending.state === "draft" || (sending.state === "finished" && recipients > noted);
}

const pageSizeMax = 100;
const searchCharsMax = 100;
export const namesMax = 50;

export const searchNames = z.string().max(searchCharsMax);

export const listOverviewQuery = z.object({
  search: searchNames.optional(),
  state: z.enum(campaignStates).optional(),
  page: z.number().int().min(1).default(1),
  pageSize: z.number().int().min(1).max(pageSizeMax).default(pageSizeMax),
});
export type ListOverview = z.output<typeof listOverviewQuery>;

export interface CampaignOverview {
  id: string;
  name: string;
  kind: "marketing" | "service";
  state: CampaignState;
  startsAt: string | null;
  recipients: number;
  refused: number;
  clicked: number;
  sends: Partial<Record<SendState, number>>;
  adding: boolean;
  createdAt: string;
}

export interface CampaignName {
  id: string;
  name: string;
}
