import { useTranslations } from "next-intl";
import { Badge } from "#components/ui/badge";
import type { CampaignState } from "#lib/outreach/campaign-overview/schema";

const tones = {
  draft: "gray",
  scheduled: "blue",
  sending: "blue",
  paused: "yellow",
  finished: "green",
  cancelled: "gray",
} as const;

interface CampaignStateBadgeProps {
  state: CampaignState;
  recipients: number;
}

/** The state. A draft says what is next. */
export function CampaignStateBadge({ state, recipients }: CampaignStateBadgeProps) {
  const t = useTranslations("campaigns.states");
  const drafts = useTranslations("campaigns.drafts");
  return (
    <Badge tone={tones[state]} className="shrink-0">
      {state === "draft" ? drafts(recipients === 0 ? "recipients" : "check") : t(state)}
    </Badge>
  );
}
