"use server";

import { listNotifications, markNotificationsRead } from "#lib/tenancy/notifications";
import type { Notification } from "#lib/tenancy/notifications/schema";
import { closeSteps } from "#lib/tenancy/onboarding";
import { nameArgument, plainAction } from "../../action.ts";
import { refreshPages, requireScope } from "../access.ts";

export const listNotificationsAction = plainAction(
  [nameArgument],
  [],
  async (slug): Promise<Notification[]> => {
    return await listNotifications(await requireScope(slug));
  },
);

export const markNotificationsReadAction = plainAction(
  [nameArgument],
  undefined,
  async (slug): Promise<void> => {
    await markNotificationsRead(await requireScope(slug));
  },
);

export const closeStepsAction = plainAction(
  [nameArgument],
  undefined,
  async (slug): Promise<void> => {
    await closeSteps(await requireScope(slug));
    refreshPages(slug);
  },
);
