import { useTranslations } from "next-intl";
import type { CampaignState } from "#lib/outreach/campaign-overview/schema";
import { Badge } from "../ui/badge.tsx";

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
