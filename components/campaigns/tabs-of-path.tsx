"use client";

import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { PrefetchLink } from "#components/shell/prefetch-link";

/** The tabs of a campaign. The current tab comes from the path, because a layout does not know which page it contains. */
export function CampaignTabsOfPath({ workspace, id }: { workspace: string; id: string }) {
  const last = usePathname().split("/").at(-1);
  const current = campaignTabs.find((tab) => tab === last) ?? "recipients";
  return <CampaignTabs workspace={workspace} id={id} current={current} />;
}

const campaignTabs = ["recipients", "message", "send", "report"] as const;
type CampaignTab = (typeof campaignTabs)[number];

interface CampaignTabsProps {
  workspace: string;
  id: string;
  current: CampaignTab;
}

function CampaignTabs({ workspace, id, current }: CampaignTabsProps) {
  const t = useTranslations("campaigns.frame");
  const path = `/app/${workspace}/campaigns/${id}`;
  return (
    <nav aria-label={t("tabs")} className="mb-5 overflow-x-auto border-line border-b">
      <ul className="flex gap-1">
        {campaignTabs.map((tab) => (
          <li key={tab}>
            <PrefetchLink
              href={tab === "recipients" ? path : `${path}/${tab}`}
              aria-current={tab === current ? "page" : undefined}
              className="-mb-px block whitespace-nowrap border-transparent border-b-2 px-3 py-2 font-medium text-ink-muted text-sm hover:text-ink aria-[current]:border-accent aria-[current]:text-ink"
            >
              {t(`tabNames.${tab}`)}
            </PrefetchLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
