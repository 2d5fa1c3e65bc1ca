/** For tests of server actions: those about campaigns. */
import type { ActionExample } from "./action-examples.ts";
import { campaignBody } from "./campaigns.ts";
import { form } from "./form.ts";

export const campaignActions: Record<string, ActionExample> = {
  createCampaignAction: {
    who: "member",
    given: () => [form({ campaign: JSON.stringify(campaignBody()) })],
  },
  editCampaignAction: {
    who: "member",
    given: (it) => [form({ id: it.campaign, campaign: JSON.stringify({ name: "Renamed" }) })],
    names: ["campaign"],
  },
  deleteCampaignAction: { who: "member", given: (it) => [it.campaign], names: ["campaign"] },
  // The test environment fetches nothing.
  checkCampaignAction: {
    who: "member",
    given: (it) => [it.campaign],
    names: ["campaign"],
    answer: "destinationsUnchecked",
  },
  erasePersonAction: { who: "admin", given: () => ["+8613900139000"] },
  findCampaignsAction: { who: "viewer", given: () => ["autumn"] },
  addAudienceAction: {
    who: "member",
    given: (it) => [it.campaign, { campaignId: it.otherCampaign, audience: "all" }],
    names: ["campaign", "otherCampaign"],
  },
  changeSourceAction: {
    who: "member",
    given: (it) => [it.readySource, { heading: true }],
    names: ["readySource"],
  },
  stepSourceAction: {
    who: "member",
    given: (it) => [it.readySource, "cancel"],
    names: ["readySource"],
  },
};
