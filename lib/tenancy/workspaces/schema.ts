import { z } from "zod";
import { network } from "#lib/basics/networks/schema";
import { sessionBounds } from "#lib/platform/config/schema";
import type { Role } from "#lib/tenancy/access/schema";

/** The workspace with example data. Its owner may choose another slug. */
export const demoSlug = "demo";

export const slugCharsMin = 3;
export const slugCharsMax = 48;
const nameCharsMax = 64;

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).format(0) !== "";
  } catch {
    return false;
  }
}

const name = z
  .string()
  .trim()
  .min(1, "Enter a name.")
  .max(nameCharsMax, `Use at most ${nameCharsMax} characters.`);

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

const reuseSecondsMax = 31_536_000;
const reuseSeconds = z.int().min(1).max(reuseSecondsMax).nullable();

const lifetimeSecondsMax = 315_360_000;
const lifetimeSeconds = z.int().min(60).max(lifetimeSecondsMax).nullable();

/** Visitor hashes change every day. */
const repeatSecondsMax = 86_400;
const repeatSeconds = z.int().min(1).max(repeatSecondsMax).nullable();

const forwardQuery = z.boolean();

/** Not shorter than the warning before it. */
const retireDaysMin = 30;
const retireDaysMax = 3_650;
/** Days until links retire; 0: never, null: as set by the plan or the instance. */
const retireDays = z
  .union([z.literal(0), z.int().min(retireDaysMin).max(retireDaysMax)])
  .nullable();
/** The age of links counts from creation instead of the last visit. */
const retireFromCreation = z.boolean();

const contactDaysMax = 3_650;
const contactDays = z.int().min(1).max(contactDaysMax).nullable();

const codeCountriesMax = 250;
/** What a workspace may pay per country and day, at a few cents per code. */
export const codesPerDayMax = 100_000;

export const codeFields = {
  /** ISO 3166-1; empty: the country of the time zone. */
  codeCountries: z
    .array(z.string().regex(/^[A-Z]{2}$/, "Use country codes with two letters, such as CN."))
    .max(codeCountriesMax, `Use at most ${codeCountriesMax} countries.`)
    .refine((all) => new Set(all).size === all.length, "Two countries are the same."),
  codesPerDay: z.int().min(1).max(codesPerDayMax),
  codesStopped: z.boolean(),
};

const ownNetworksMax = 50;
/** Larger ones would take in visitors. */
const networkBitsMin = { ipv4: 8, ipv6: 20 };

function isSmall(text: string): boolean {
  const [start = "", bits] = text.split("/", 2);
  return (
    bits === undefined || Number(bits) >= networkBitsMin[start.includes(":") ? "ipv6" : "ipv4"]
  );
}

/** Visits from these networks are counted with bots. */
const ownNetworks = z
  .array(
    network.refine(
      isSmall,
      `Use networks of at least /${networkBitsMin.ipv4} (IPv4) or /${networkBitsMin.ipv6} (IPv6).`,
    ),
  )
  .max(ownNetworksMax, `Use at most ${ownNetworksMax} networks.`);

export const sessionOver = "session_over";
export const ssoRequired = "sso_required";

/** Counted from the last use, or from the sign-in. Null: as set by the instance, which may permit less. */
export const sessionFields = {
  sessionIdleMinutes: z
    .int()
    .min(sessionBounds.idleMinutesMin)
    .max(sessionBounds.idleMinutesMax)
    .nullable(),
  sessionHours: z.int().min(sessionBounds.hoursMin).max(sessionBounds.hoursMax).nullable(),
};

export const retirementFields = {
  retireApiDays: retireDays,
  retirePeopleDays: retireDays,
  retireFromCreation,
};

/** Set by owners and admins. Columns, statements, answers and the history use the same names. */
export const settingFields = {
  name,
  slug,
  zone,
  reuseSeconds,
  lifetimeSeconds,
  repeatSeconds,
  forwardQuery,
  contactDays,
  ownNetworks,
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
  demo: boolean;
  role: Role;
  createdAt: string;
}

export interface DeletedWorkspace {
  id: string;
  name: string;
  until: string;
}
