"use server";

import { listNotices, readNotices } from "#lib/tenancy/notifications";
import type { Notice } from "#lib/tenancy/notifications/schema";
import { closeSteps } from "#lib/tenancy/onboarding";
import { renewPages, requireScope } from "../seat.ts";

export async function listNoticesAction(slug: string): Promise<Notice[]> {
  return await listNotices(await requireScope(slug));
}

export async function readNoticesAction(slug: string): Promise<void> {
  await readNotices(await requireScope(slug));
}

export async function closeStepsAction(slug: string): Promise<void> {
  await closeSteps(await requireScope(slug));
  renewPages(slug);
}
