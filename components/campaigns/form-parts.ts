import type { CampaignDraft } from "./campaign-draft.ts";

/** The properties of every part of the form of a campaign. */
export interface CampaignPartProps {
  workspace: string;
  draft: CampaignDraft;
  change: (changes: Partial<CampaignDraft>) => void;
  errorOf: (name: string) => string | undefined;
}
