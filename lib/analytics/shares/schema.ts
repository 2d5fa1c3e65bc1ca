import { z } from "zod";
import type { Annotation } from "#lib/analytics/annotations/schema";

export const shareParts = [
  "figures",
  "series",
  "top",
  "sources",
  "places",
  "devices",
  "hours",
  "conversions",
] as const;
export type SharePart = (typeof shareParts)[number];

export const shareKinds = ["workspace", "link", "folder", "tag"] as const;
export type ShareKind = (typeof shareKinds)[number];

export const shareDays = [7, 30, 90, 365] as const;

const nameCharsMax = 100;
export const sharePasswordCharsMin = 8;
export const sharePasswordCharsMax = 128;

export const newShare = z.strictObject({
  name: z.string().trim().min(1).max(nameCharsMax),
  kind: z.enum(shareKinds),
  subjectId: z.string().max(64).optional(),
  parts: z
    .array(z.enum(shareParts))
    .min(1)
    .transform((parts) => shareParts.filter((part) => parts.includes(part))),
  daysMax: z.coerce
    .number()
    .refine((days) => shareDays.some((one) => one === days))
    .optional(),
  annotations: z.boolean().default(false),
  password: z.string().min(sharePasswordCharsMin).max(sharePasswordCharsMax).optional(),
  endsAt: z.iso
    .datetime({ offset: true })
    .refine((text) => Date.parse(text) > Date.now())
    .optional(),
});
export type NewShare = z.output<typeof newShare>;

export interface Share {
  id: string;
  name: string;
  kind: ShareKind;
  /** Null for the whole workspace, and if the subject was deleted: then the share shows nothing. */
  subjectId: string | null;
  parts: SharePart[];
  daysMax: number | null;
  annotations: boolean;
  hasPassword: boolean;
  /** Whether its URL can be shown again. */
  hasAddress: boolean;
  endsAt: string | null;
  createdAt: string;
  formerMember: string | null;
}

export interface PublicShare {
  name: string;
  kind: ShareKind;
  parts: SharePart[];
  daysMax: number | null;
  /** Empty unless the share includes them. */
  annotations: Annotation[];
  zone: string;
}
