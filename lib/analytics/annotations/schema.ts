import { z } from "zod";
import { clickFilter } from "#lib/analytics/reports/schema";

export const annotationsMax = 200;
export const annotationCharsMax = 200;

const local = /^(?:19[7-9]\d|2\d{3})-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d$/;

/** February 31 would parse as a day in March. */
function isLocal(text: string): boolean {
  if (!local.test(text)) return false;
  const date = new Date(`${text}:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

export const annotationBody = z.strictObject({
  at: z.string().refine(isLocal, "Use a day and a time, such as 2026-01-31T09:30."),
  timezone: clickFilter.shape.timezone,
  text: z.string().trim().min(1).max(annotationCharsMax),
});
export type AnnotationBody = z.output<typeof annotationBody>;

export interface Annotation {
  id: string;
  at: string;
  text: string;
}
