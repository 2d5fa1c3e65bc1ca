"use server";

import { listNotifications, markNotificationsRead } from "#lib/tenancy/notifications";
import type { Notification } from "#lib/tenancy/notifications/schema";
import { closeSteps } from "#lib/tenancy/onboarding";
import { refreshPages, requireScope } from "../access.ts";

export async function listNotificationsAction(slug: string): Promise<Notification[]> {
  return await listNotifications(await requireScope(slug));
}

export async function markNotificationsReadAction(slug: string): Promise<void> {
  await markNotificationsRead(await requireScope(slug));
}

export async function closeStepsAction(slug: string): Promise<void> {
  await closeSteps(await requireScope(slug));
  refreshPages(slug);
}
