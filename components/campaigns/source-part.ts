import type { FormAnswer } from "#components/forms/form";
import type { NamedOption } from "#components/links/names.ts";
import type { Campaign } from "#lib/outreach/campaigns/schema";
import type {
  AddAudience,
  ChangeSource,
  RecipientSource,
  SourceStep,
} from "#lib/outreach/sources/schema";

/** What people with write access can do with sources. */
export interface SourceActions {
  change: (id: string, body: ChangeSource) => Promise<FormAnswer<RecipientSource>>;
  step: (id: string, step: SourceStep) => Promise<FormAnswer<RecipientSource>>;
  addAudience: (body: AddAudience) => Promise<FormAnswer<RecipientSource>>;
  findCampaigns: (search: string) => Promise<NamedOption[]>;
}

/** The properties of everything about the sources of a campaign. */
export interface SourcePartProps {
  workspace: string;
  campaign: Pick<Campaign, "id" | "columns" | "variants">;
  actions: SourceActions;
  /** May see phones and download files with them. */
  seesPeople: boolean;
}

/** Of one source. */
export interface SourceProps extends SourcePartProps {
  source: RecipientSource;
  onShown: (source: RecipientSource) => void;
}
