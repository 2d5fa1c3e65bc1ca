import { z } from "zod";
import { abuseReasons } from "#lib/basics/abuse/schema";
import { moment, pageSizeOf } from "#lib/basics/fields/schema";

export const banKinds = ["link", "host", "workspace", "user"] as const;
export type BanKind = (typeof banKinds)[number];

const subjectCharsMax = 2_000;
const noteCharsMin = 3;
export const noteCharsMax = 500;
const appealCharsMin = 10;
export const appealCharsMax = 2_000;

const note = z
  .string()
  .trim()
  .min(noteCharsMin, "Enter a reason of at least 3 characters.")
  .max(noteCharsMax, "A reason can have up to 500 characters.");

export const banBody = z.strictObject({
  kind: z.enum(banKinds),
  subject: z
    .string()
    .trim()
    .min(1, "Enter what to ban.")
    .max(subjectCharsMax)
    .describe(
      "A link by id or short URL, a destination host (its subdomains are banned too), a workspace by id or slug, or a person by id or email address.",
    ),
  reason: z.enum(abuseReasons).describe("Shown to visitors of a banned link."),
  note: note.describe("Shown to the owners and recorded in the audit log."),
  endsAt: moment.nullish().describe("When the ban ends by itself. null: never."),
});
export type NewBan = z.output<typeof banBody>;

export const liftBody = z.strictObject({ note: note.describe("The reason, for the audit log.") });

export const appealText = z
  .string()
  .trim()
  .min(appealCharsMin, "Write at least 10 characters.")
  .max(appealCharsMax, "Write at most 2,000 characters.");

const pageSizeMax = 100;

export const bansQuery = z.object({
  state: z.enum(["active", "lifted", "all"]).default("active"),
  kind: z.enum(banKinds).optional(),
  pageSize: pageSizeOf(pageSizeMax),
  startingAfter: z.string().max(noteCharsMax).optional().describe("The id of a ban."),
});
export type BansQuery = z.output<typeof bansQuery>;

export const banShape = z.object({
  id: z.string(),
  kind: z.enum(banKinds),
  subject: z.string().describe("`link_…`, a host, `ws_…` or `user_…`."),
  name: z.string().describe("The short URL, host, name or email address when it was banned."),
  reason: z.enum(abuseReasons),
  note: z.string(),
  actor: z.string(),
  createdAt: z.string(),
  endsAt: z.string().nullable(),
  liftedAt: z.string().nullable(),
  liftedBy: z.string().nullable(),
});
export type Ban = z.output<typeof banShape>;

export const appealShape = z.object({
  ban: banShape,
  user: z.object({ id: z.string(), name: z.string(), email: z.string() }),
  links: z.number().describe("How many links of the person’s workspace the ban concerns."),
  text: z.string(),
  appealedAt: z.string(),
});
export type Appeal = z.output<typeof appealShape>;

export const decideAppealBody = z.strictObject({
  userId: z.string().max(noteCharsMax),
  accept: z.boolean().describe("true lifts the ban."),
  note,
});
export type DecideAppeal = z.output<typeof decideAppealBody>;
