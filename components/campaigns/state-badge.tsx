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

export function CampaignStateBadge({ state }: { state: CampaignState }) {
  const t = useTranslations("campaigns.states");
  return (
    <Badge tone={tones[state]} className="shrink-0">
      {t(state)}
    </Badge>
  );
}
