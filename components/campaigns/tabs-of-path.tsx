"use client";

import { usePathname } from "next/navigation";
import { CampaignTabs, campaignTabs } from "./campaign-tabs.tsx";

/** The tabs of a campaign, for the page that the path names: a frame does not know which page is in it. */
export function CampaignTabsOfPath({ workspace, id }: { workspace: string; id: string }) {
  const last = usePathname().split("/").at(-1);
  const current = campaignTabs.find((tab) => tab === last) ?? "recipients";
  return <CampaignTabs workspace={workspace} id={id} current={current} />;
}
