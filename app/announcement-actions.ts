"use server";

import type { FormAnswer } from "#components/forms/form";
import { closeAnnouncement } from "#lib/tenancy/announcements";
import { action, nameArgument } from "./action.ts";
import { runAsAnyone } from "./app/access.ts";

export const closeAnnouncementAction = action(
  [nameArgument],
  async (id): Promise<FormAnswer<null>> =>
    runAsAnyone(async (user) => {
      await closeAnnouncement(user.pk, id);
      return { ok: true, done: null };
    }),
);
