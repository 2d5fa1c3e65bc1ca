import { z } from "zod";
import { nameOf, plainText } from "#lib/basics/fields/schema";
import { parseUrl } from "#lib/basics/urls/schema";

const nameCharsMax = 64;
const issuerCharsMax = 500;
const wordCharsMax = 255;
const groupCharsMax = 200;
/** Two fields of a form each. */
export const groupsMax = 40;
export const domainsMax = 20;
const hostCharsMax = 253;

/** Never owner: only an owner makes another one. */
export const groupRoles = ["admin", "member", "viewer"] as const;
export type GroupRole = (typeof groupRoles)[number];
export const defaultRoles = ["member", "viewer"] as const;

const word = z.string().trim().min(1).max(wordCharsMax).regex(plainText);

export const providerBody = z.strictObject({
  name: nameOf(nameCharsMax),
  issuer: z
    .string()
    .trim()
    .max(issuerCharsMax)
    // People paste the address of the discovery document too.
    .overwrite((text) => text.replace(/\/\.well-known\/openid-configuration$/, ""))
    .refine((text) => {
      const url = parseUrl(text);
      return /^https?:$/.test(url?.protocol ?? "") && url?.search === "" && url.hash === "";
    }, "Use the issuer URL of the provider, without a query."),
  clientId: word,
  /** Omitted: unchanged. */
  secret: z.string().trim().min(1).max(1_000).optional(),
  scope: word.default("openid email profile").transform(withOpenid),
  groupsClaim: word.default("groups"),
});
export type ProviderBody = z.output<typeof providerBody>;

function withOpenid(text: string): string {
  return [...new Set(["openid", ...text.split(/\s+/)])].join(" ");
}

const groupRole = z.strictObject({
  group: z.string().trim().min(1).max(groupCharsMax).regex(plainText),
  role: z.enum(groupRoles),
});
export type GroupEntry = z.output<typeof groupRole>;

export const accessBody = z.strictObject({
  required: z.boolean(),
  joins: z.boolean(),
  /** Whether API keys of people whom the provider removed stop working. */
  pausesKeys: z.boolean(),
  defaultRole: z.enum(defaultRoles),
  groupRoles: z
    .array(groupRole)
    .max(groupsMax)
    .refine((all) => new Set(all.map(({ group }) => group)).size === all.length),
});
export type AccessBody = z.output<typeof accessBody>;

export const emailDomain = z
  .string()
  .trim()
  .toLowerCase()
  .max(hostCharsMax)
  .overwrite((text) => text.replace(/^@/, ""))
  .regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/);

export interface SsoDomain {
  host: string;
  proven: boolean;
  record: { name: string; value: string };
}

export interface SsoProvider extends AccessBody {
  /** As next-auth and the callback name it. */
  id: string;
  name: string;
  issuer: string;
  clientId: string;
  scope: string;
  groupsClaim: string;
  callbackUrl: string;
  logoutUrl: string;
  domains: SsoDomain[];
}

/** The provider of the instance, from its settings. */
export const instanceProvider = "oidc";

/** The highest role of the person’s groups; the default one if none is listed, undefined if nobody says. */
export function roleOfGroups(
  table: readonly GroupEntry[],
  groups: readonly string[] | undefined,
  defaultRole: GroupRole,
): GroupRole | undefined {
  if (table.length === 0 || groups === undefined) return undefined;
  const given = table.filter(({ group }) => groups.includes(group)).map(({ role }) => role);
  return groupRoles.find((role) => given.includes(role)) ?? defaultRole;
}
