/** All workspaces and people of the instance, newest first. */
import { z } from "zod";
import { planNames } from "#lib/platform/config/schema";

export const directoryMax = 50;
const searchCharsMax = 100;
const idCharsMax = 100;

export const workspaceStates = ["active", "banned", "demo", "deleted"] as const;

export const personStates = ["active", "administrator", "unconfirmed", "banned"] as const;

const page = {
  search: z.string().trim().max(searchCharsMax).optional().describe("A part of a name."),
  from: z
    .union([z.literal(""), z.iso.date()])
    .optional()
    .describe("Created on this day (UTC) or later."),
  startingAfter: z.string().max(idCharsMax).optional().describe("The id of the last one."),
};

export const workspacesQuery = z.object({
  ...page,
  plan: z.enum(planNames).optional(),
  state: z.enum(workspaceStates).optional(),
});
export type WorkspacesQuery = z.output<typeof workspacesQuery>;

export const peopleQuery = z.object({ ...page, state: z.enum(personStates).optional() });
export type PeopleQuery = z.output<typeof peopleQuery>;

export const officeCount = z.object({
  count: z.number(),
  about: z.boolean().describe("Estimated by the database, because counting takes too long."),
});
export type OfficeCount = z.infer<typeof officeCount>;

const listedWorkspace = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  plan: z.enum(planNames),
  state: z.enum(workspaceStates),
  members: z.number(),
  createdAt: z.string(),
});
export type ListedWorkspace = z.infer<typeof listedWorkspace>;

const listedPerson = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  state: z.enum(personStates),
  workspaces: z.number(),
  createdAt: z.string(),
});
export type ListedPerson = z.infer<typeof listedPerson>;

const next = z.string().nullable().describe("Where the next call continues; null at the end.");

export const workspacesShape = z.object({
  workspaces: z.array(listedWorkspace),
  total: officeCount,
  next,
});
export type ListedWorkspaces = z.output<typeof workspacesShape>;

export const peopleShape = z.object({ people: z.array(listedPerson), total: officeCount, next });
export type ListedPeople = z.output<typeof peopleShape>;
