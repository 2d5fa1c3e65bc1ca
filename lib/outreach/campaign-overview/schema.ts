/** The list of campaigns, as people see it. */
import { z } from "zod";
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

const pageSizeMax = 100;
const searchCharsMax = 100;
/** As many as a person scans; a search finds the others. */
export const namesMax = 50;

export const searchNames = z.string().max(searchCharsMax);

export const listOverviewQuery = z.object({
  search: searchNames.optional(),
  state: z.enum(campaignStates).optional(),
  page: z.number().int().min(1).default(1),
  pageSize: z.number().int().min(1).max(pageSizeMax).default(pageSizeMax),
});
export type ListOverview = z.output<typeof listOverviewQuery>;

/** A campaign in the list. */
export interface CampaignOverview {
  id: string;
  name: string;
  kind: "marketing" | "service";
  state: CampaignState;
  startsAt: string | null;
  recipients: number;
  /** Refused rows. */
  refused: number;
  /** Recipients who clicked, without bots. */
  clicked: number;
  /** Messages by state, without states that no message has. */
  sends: Partial<Record<SendState, number>>;
  /** Recipients are being added or undone. */
  adding: boolean;
  createdAt: string;
}

/** A campaign as an option of a menu. */
export interface CampaignName {
  id: string;
  name: string;
}
