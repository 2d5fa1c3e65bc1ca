/** Workspaces, roles and permissions as everyone sees them, the browser too. */
import { z } from "zod";
import type { Role } from "#lib/tenancy/access/schema";

export const slugCharsMin = 3;
export const slugCharsMax = 48;
const nameCharsMax = 64;

/** True for an IANA zone that this runtime knows. */
function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).format(0) !== "";
  } catch {
    return false; // RangeError: no such zone
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

/** A year. */
const reuseSecondsMax = 31_536_000;
/** For how long a url keeps its link; null: every call makes a new one. */
const reuseSeconds = z.int().min(1).max(reuseSecondsMax).nullable();

/** Ten years. */
const lifetimeSecondsMax = 315_360_000;
/** After which a new link ends that says nothing of its end; null: links have no end. */
const lifetimeSeconds = z.int().min(60).max(lifetimeSecondsMax).nullable();

/** A day: visitors have another name on the next one. */
const repeatSecondsMax = 86_400;
/** Within which visits of one visitor to one link count once; null: every visit counts. */
const repeatSeconds = z.int().min(1).max(repeatSecondsMax).nullable();

export const editWorkspaceBody = z
  .object({ name, slug, zone, reuseSeconds, lifetimeSeconds, repeatSeconds })
  .partial();
export type EditWorkspace = z.output<typeof editWorkspaceBody>;

export interface Workspace {
  id: string;
  name: string;
  /** Its place in addresses: `/app/<slug>/…` */
  slug: string;
  zone: string;
  plan: string;
  /** For how long a url keeps its link when a caller says nothing of it; null: every call makes a new one. */
  reuseSeconds: number | null;
  /** Seconds after which a new link ends that says nothing of its end; null: links have no end. */
  lifetimeSeconds: number | null;
  /** Visits of one visitor to one link within so many seconds count once; null: every visit counts. */
  repeatSeconds: number | null;
  /** Of the person who asked. */
  role: Role;
  /** ISO 8601 */
  createdAt: string;
}

/** A workspace that was deleted and can be had back. */
export interface DeletedWorkspace {
  id: string;
  name: string;
  /** ISO 8601; until then. */
  until: string;
}
