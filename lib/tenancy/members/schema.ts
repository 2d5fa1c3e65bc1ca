/** The public form of members and invitations. */
import { z } from "zod";
import type { Role } from "#lib/tenancy/access/schema";

const emailCharsMax = 254;
const invitationDaysMax = 30;
const invitationDays = 7;

/** Roles of an invitation: owners are promoted from members. */
const invitedRoles = ["admin", "member", "viewer"] as const;

/** The roles that a member may give by invitation. */
export const invitableRoles: Readonly<Record<Role, readonly Role[]>> = {
  owner: invitedRoles,
  admin: invitedRoles,
  member: [],
  viewer: [],
};

export const inviteBody = z.object({
  /** Omitted: anyone with the URL of the invitation. */
  email: z
    .string()
    .trim()
    .toLowerCase()
    .max(emailCharsMax)
    .pipe(z.email("Enter an email address."))
    .optional(),
  role: z.enum(invitedRoles),
  days: z.coerce.number().int().min(1).max(invitationDaysMax).default(invitationDays),
});
export type NewInvitation = z.output<typeof inviteBody>;

export interface Member {
  id: string;
  name: string;
  email: string;
  role: Role;
  /** Signs in with a second factor. */
  factor: boolean;
  /** ISO 8601 */
  createdAt: string;
}

export interface Invitation {
  id: string;
  email: string | null;
  role: Role;
  createdAt: string;
  expiresAt: string;
}

/** The contents of an invitation for its recipient. */
export interface PublicInvitation {
  workspace: string;
  role: Role;
  email: string | null;
  inviter: string;
}
