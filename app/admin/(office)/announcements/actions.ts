"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import { createAnnouncement, endAnnouncement } from "#lib/tenancy/announcements";
import { createAnnouncementBody } from "#lib/tenancy/announcements/schema";
import { reasonField } from "#lib/tenancy/operators/schema";
import { action, formArgument, nameArgument } from "../../../action.ts";
import { parseForm } from "../../../form-data.ts";
import { runAsOperator } from "../../access.ts";

const reasonForm = z.object({ reason: reasonField });

/** The value of a field for a date and time is without a zone: here it is UTC. */
const utcField = z.iso
  .datetime({ local: true })
  .transform((text) => new Date(`${text}Z`).toISOString());

const announcementForm = z
  .looseObject({ startsAt: utcField.optional(), endsAt: utcField })
  // As a body of the API, which says what is missing.
  .transform((fields): unknown => fields)
  .pipe(createAnnouncementBody);

export const createAnnouncementAction = action(
  [formArgument()],
  async (data): Promise<FormAnswer<null>> => {
    const parsed = parseForm(data, announcementForm, {
      textEn: "announcementText",
      textZh: "announcementText",
      url: "urlInvalid",
      startsAt: "announcementEnd",
      endsAt: "announcementEnd",
      reason: "reasonInvalid",
    });
    if (!parsed.ok) return parsed;
    return await runAsOperator(async (operator) => {
      await createAnnouncement(operator, parsed.value);
      revalidatePath("/admin", "layout");
      return { ok: true, done: null };
    });
  },
);

export const endAnnouncementAction = action(
  [nameArgument, formArgument()],
  async (id, data): Promise<FormAnswer<null>> => {
    const parsed = parseForm(data, reasonForm, { reason: "reasonInvalid" });
    if (!parsed.ok) return parsed;
    return await runAsOperator(async (operator) => {
      await endAnnouncement(operator, id, parsed.value.reason);
      revalidatePath("/admin", "layout");
      return { ok: true, done: null };
    });
  },
);
