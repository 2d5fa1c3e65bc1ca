import { z } from "zod";
import { moment } from "#lib/basics/fields/schema";
import { network } from "#lib/basics/networks/schema";

const nameCharsMax = 64;
const scopesMax = 50;
const allowedAddressesMax = 50;
const limitedToMax = 100;
const idCharsMax = 64;
const callsPerMinuteMax = 100_000;

const keyTerms = {
  name: z.string().trim().min(1, "Enter a name.").max(nameCharsMax),
  scopes: z.array(z.string().max(nameCharsMax)).min(1, "Add at least one scope.").max(scopesMax),
  expiresAt: moment.nullable(),
  allowedAddresses: z.array(network).max(allowedAddressesMax),
  domainIds: z.array(z.string().max(idCharsMax)).max(limitedToMax),
  folderIds: z.array(z.string().max(idCharsMax)).max(limitedToMax),
  callsPerMinute: z.int().min(1).max(callsPerMinuteMax).nullable(),
};

export const createApiKeyBody = z.strictObject({
  name: keyTerms.name,
  scopes: keyTerms.scopes.optional(),
  expiresAt: keyTerms.expiresAt.optional(),
  allowedAddresses: keyTerms.allowedAddresses.optional(),
  domainIds: keyTerms.domainIds
    .optional()
    .describe("Ids of the domains whose links the key may use. Empty or omitted: all."),
  folderIds: keyTerms.folderIds
    .optional()
    .describe("Ids of the folders whose links the key may use. Empty or omitted: all."),
  callsPerMinute: keyTerms.callsPerMinute
    .optional()
    .describe("Calls per minute, below the limit of the plan. Null: only the limit of the plan."),
});
export type NewApiKey = z.output<typeof createApiKeyBody>;

/** Offered by the dialog. `custom` is a list of permissions. */
export const keyAccesses = ["all", "read", "custom"] as const;
export type KeyAccess = (typeof keyAccesses)[number];

export const keyLives = ["never", "30", "90", "365"] as const;

/** Days count from creation or the edit. `keep` leaves the expiration unchanged. */
export const editedKeyLives = ["keep", ...keyLives] as const;
export type EditedKeyLife = (typeof editedKeyLives)[number];

/** The dialog's form. Its lists of permissions, domains and folders are separate fields. */
export const apiKeyForm = z.object({
  name: keyTerms.name,
  access: z.enum(keyAccesses),
  life: z.enum(editedKeyLives),
  callsPerMinute: z
    .string()
    .trim()
    .transform((text) => (text === "" ? null : Number(text)))
    .pipe(keyTerms.callsPerMinute)
    .optional(),
  allowedAddresses: z
    .string()
    .transform((text) => text.split(/[\s,]+/).filter((one) => one !== ""))
    .pipe(keyTerms.allowedAddresses)
    .optional(),
});

export const editApiKeyBody = z.strictObject(keyTerms).partial();
export type EditApiKey = z.output<typeof editApiKeyBody>;

export const overlapSecondsMax = 604_800;
export const keyOverlaps = ["0", "3600", "86400", "604800"] as const;
export const rotateKeyForm = z.object({ overlap: z.enum(keyOverlaps).transform(Number) });

export const rotateApiKeyBody = z.strictObject({
  overlapSeconds: z
    .int()
    .min(0)
    .max(overlapSecondsMax)
    .default(0)
    .describe("Seconds for which the previous secret keeps working, at most 7 days."),
});
export type RotateApiKey = z.output<typeof rotateApiKeyBody>;

export const apiKeyShape = z.object({
  id: z.string(),
  name: z.string(),
  hint: z.string(),
  scopes: z.array(z.string()),
  allowedAddresses: z.array(z.string()),
  domainIds: z.array(z.string()),
  folderIds: z.array(z.string()),
  callsPerMinute: z.number().nullable(),
  previous: z.object({ hint: z.string(), endsAt: z.string() }).nullable(),
  user: z.object({ id: z.string(), name: z.string() }),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
  expiresAt: z.string().nullable(),
  /** Created before its owner's address was confirmed: the owner keeps or revokes it. */
  needsReview: z.boolean(),
  pendingApproval: z.boolean(),
  pausedAt: z
    .string()
    .nullable()
    .describe(
      "When the key was paused because the workspace’s sign-in provider removed its creator. Calls are refused until an owner or admin resumes it.",
    ),
});
export type ApiKey = z.infer<typeof apiKeyShape>;

export const pendingKeyShape = z.object({
  id: z.string(),
  name: z.string(),
  hint: z.string(),
  scopes: z.array(z.string()),
  createdAt: z.string(),
  workspace: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), email: z.string() }),
});
export type PendingKey = z.infer<typeof pendingKeyShape>;
