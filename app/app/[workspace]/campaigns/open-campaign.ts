import { notFound } from "next/navigation";
import { cache } from "react";
import { getCampaign } from "#lib/outreach/campaigns";
import { AppError } from "#lib/platform/errors";
import { requireScope } from "../../access.ts";

export const openCampaign = cache(async (workspace: string, id: string) => {
  const scope = await requireScope(workspace);
  try {
    return { scope, campaign: await getCampaign(scope, id) };
  } catch (error) {
    if (error instanceof AppError && ["not_found", "forbidden"].includes(error.code)) notFound();
    throw error;
  }
});
