"use server";

import { z } from "zod";
import { createAnnouncement, endAnnouncement } from "#lib/tenancy/announcements";
import { createAnnouncementBody } from "#lib/tenancy/announcements/schema";
import { formOf, nameArgument } from "../../../action.ts";
import { officeAction, reasonArgument } from "../../office-action.ts";

/** A date and time field has no zone. Here it is UTC. */
const utcField = z.iso
  .datetime({ local: true })
  .transform((text) => new Date(`${text}Z`).toISOString());

const announcementForm = z
  .looseObject({ startsAt: utcField.optional(), endsAt: utcField })
  // Passes the fields on to the schema of the API, which reports what is missing.
  .transform((fields): unknown => fields)
  .pipe(createAnnouncementBody);

export const createAnnouncementAction = officeAction(
  [
    formOf(announcementForm, {
      textEn: "announcementText",
      textZh: "announcementText",
      url: "urlInvalid",
      startsAt: "announcementEnd",
      endsAt: "announcementEnd",
      reason: "reasonInvalid",
    }),
  ],
  ["/admin", "layout"],
  (operator, fields) => createAnnouncement(operator, fields),
);

export const endAnnouncementAction = officeAction(
  [nameArgument, reasonArgument],
  ["/admin", "layout"],
  (operator, id, fields) => endAnnouncement(operator, id, fields.reason),
);
