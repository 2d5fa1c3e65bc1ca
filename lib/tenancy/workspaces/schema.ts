/** The public form of workspaces, also for the browser. */
import { z } from "zod";
import { sessionBounds } from "#lib/platform/config/schema";
import type { Role } from "#lib/tenancy/access/schema";

export const slugCharsMin = 3;
export const slugCharsMax = 48;
const nameCharsMax = 64;

/** True for an IANA zone that this runtime supports. */
function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).format(0) !== "";
  } catch {
    return false; // RangeError: unknown zone
  }
}

const name = z
  .string()
  .trim()
  .min(1, "Enter a name.")
  .max(nameCharsMax, `Use at most ${nameCharsMax} characters.`);

/** Its part of URLs: `/app/<slug>/…` */
const slug = z
  .string()
  .trim()
  .toLowerCase()
  .min(slugCharsMin, `Use at least ${slugCharsMin} characters.`)
  .max(slugCharsMax, `Use at most ${slugCharsMax} characters.`)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "Use letters and digits, with single hyphens in between.");

const zone = z.string().refine(isZone, "Use an IANA time zone, such as Europe/Berlin.");

export const createWorkspaceBody = z.object({ name, slug, zone: zone.optional() });
export type NewWorkspace = z.output<typeof createWorkspaceBody>;

/** A year. */
const reuseSecondsMax = 31_536_000;
/** Seconds for which a URL reuses its link by default; null: every call creates a new one. */
const reuseSeconds = z.int().min(1).max(reuseSecondsMax).nullable();

/** Ten years. */
const lifetimeSecondsMax = 315_360_000;
/** Default lifetime of new links in seconds; null: no expiration. */
const lifetimeSeconds = z.int().min(60).max(lifetimeSecondsMax).nullable();

/** A day: visitor hashes change on the next one. */
const repeatSecondsMax = 86_400;
/** Seconds in which visits of one visitor to one link count once; null: every visit counts. */
const repeatSeconds = z.int().min(1).max(repeatSecondsMax).nullable();

/** Links forward the query parameters of visits, unless a link says otherwise. */
const forwardQuery = z.boolean();

/** No shorter than the warning before it. */
const retireDaysMin = 30;
/** Ten years. */
const retireDaysMax = 3_650;
/** Days until links retire that were created with the API, or by people; 0: never, null: as the plan or the instance. */
const retireDays = z
  .union([z.literal(0), z.int().min(retireDaysMin).max(retireDaysMax)])
  .nullable();
/** Their age counts from their creation instead of their last visit. */
const retireFromCreation = z.boolean();

/** Ten years. */
const contactDaysMax = 3_650;
/** Days after their last answer until contacts are erased; null: never. */
const contactDays = z.int().min(1).max(contactDaysMax).nullable();

const codeCountriesMax = 250;
/** A code costs a few cents: what a workspace may pay for one country in a day, at most. */
export const codesPerDayMax = 100_000;

/** Codes by SMS that forms send. */
export const codeFields = {
  /** Where they go (ISO 3166-1); empty: to the country of the time zone. */
  codeCountries: z
    .array(z.string().regex(/^[A-Z]{2}$/, "Use country codes with two letters, such as CN."))
    .max(codeCountriesMax, `Use at most ${codeCountriesMax} countries.`)
    .refine((all) => new Set(all).size === all.length, "Two countries are the same."),
  /** To each country, in 24 hours. */
  codesPerDay: z.int().min(1).max(codesPerDayMax),
  /** None are sent. */
  codesStopped: z.boolean(),
};

/** The problem of a session that the limits of a workspace have ended. */
export const sessionOver = "session_over";

/** Minutes without a use, and hours after the sign-in, after which sessions end here; null: as the instance, which may permit less. */
export const sessionFields = {
  sessionIdleMinutes: z
    .int()
    .min(sessionBounds.idleMinutesMin)
    .max(sessionBounds.idleMinutesMax)
    .nullable(),
  sessionHours: z.int().min(sessionBounds.hoursMin).max(sessionBounds.hoursMax).nullable(),
};

/** When links of the workspace retire. */
export const retirementFields = {
  retireApiDays: retireDays,
  retirePeopleDays: retireDays,
  retireFromCreation,
};

/** What owners and admins set: columns, statements, answers and the history have the same names. */
export const settingFields = {
  name,
  slug,
  zone,
  reuseSeconds,
  lifetimeSeconds,
  repeatSeconds,
  forwardQuery,
  contactDays,
  ...codeFields,
  ...retirementFields,
  ...sessionFields,
};

const settingsShape = z.object(settingFields);
export type WorkspaceSettings = z.output<typeof settingsShape>;

export const editWorkspaceBody = settingsShape.partial();
export type EditWorkspace = z.output<typeof editWorkspaceBody>;

export interface Workspace extends WorkspaceSettings {
  id: string;
  plan: string;
  /** Example data, made when the instance was set up. */
  demo: boolean;
  /** Of the present user. */
  role: Role;
  /** ISO 8601 */
  createdAt: string;
}

/** A deleted workspace that can be restored. */
export interface DeletedWorkspace {
  id: string;
  name: string;
  /** ISO 8601; the end of the grace period. */
  until: string;
}
