import { z } from "zod";
import { moment, webUrl } from "#lib/basics/fields/schema";
import { dayMs } from "#lib/basics/time/schema";
import { reasonField } from "#lib/tenancy/operators/schema";

export const textCharsMax = 300;
export const daysMax = 366;
export const urlCharsMax = 2_000;
export const announcementLevels = ["info", "warning"] as const;

const text = z
  .string()
  .trim()
  .min(1, "Enter a text in each language.")
  .max(textCharsMax, `A text can have up to ${textCharsMax} characters.`)
  .regex(/^[^\p{Cc}]*$/u, "Enter plain text without line breaks.");

export const createAnnouncementBody = z
  .strictObject({
    textEn: text,
    textZh: text,
    url: webUrl
      .refine((url) => url.length <= urlCharsMax, `Use at most ${urlCharsMax} characters.`)
      .nullish()
      .describe("The URL of “Learn more”."),
    level: z.enum(announcementLevels).default("info"),
    startsAt: moment.nullish().describe("When it is first shown. null: now."),
    endsAt: moment.describe(`Until when it is shown, at most ${daysMax} days after its start.`),
    reason: reasonField,
  })
  .superRefine(({ startsAt, endsAt }, issues) => {
    const start = startsAt ? Date.parse(startsAt) : Date.now();
    const lasts = Date.parse(endsAt) - start;
    if (lasts > 0 && lasts <= daysMax * dayMs) return;
    const message = `Use an end that is after the start, and at most ${daysMax} days after it.`;
    issues.addIssue({ code: "custom", path: ["endsAt"], message });
  });
export type CreateAnnouncement = z.output<typeof createAnnouncementBody>;

export interface ShownAnnouncement {
  id: string;
  text: string;
  url: string | null;
  level: (typeof announcementLevels)[number];
}

export const announcementShape = z.object({
  id: z.string(),
  textEn: z.string(),
  textZh: z.string(),
  url: z.string().nullable(),
  level: z.enum(announcementLevels),
  startsAt: z.string(),
  endsAt: z.string(),
  state: z.enum(["scheduled", "shown", "ended"]),
  closed: z.number().describe("The number of people who closed it."),
});
export type Announcement = z.infer<typeof announcementShape>;
