import { z } from "zod";
import type { Role } from "#lib/tenancy/access/schema";

const emailCharsMax = 254;
const invitationDaysMax = 30;
const invitationDays = 7;

const invitedRoles = ["admin", "member", "viewer"] as const;

export const invitableRoles: Readonly<Record<Role, readonly Role[]>> = {
  owner: invitedRoles,
  admin: invitedRoles,
  member: [],
  viewer: [],
};

export const inviteBody = z.object({
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
  factor: boolean;
  createdAt: string;
}

export interface Invitation {
  id: string;
  email: string | null;
  role: Role;
  createdAt: string;
  expiresAt: string;
}

export interface PublicInvitation {
  workspace: string;
  role: Role;
  email: string | null;
  inviter: string;
}
