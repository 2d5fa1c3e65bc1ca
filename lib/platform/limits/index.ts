/**
 * At most `max` attempts in any `windowSeconds`, in a sorted set per subject, whose name is hashed.
 * Without Redis each process counts alone, and adds its attempts later. calls.ts counts API calls
 * in buckets.
 */
import { createHash, randomUUID } from "node:crypto";
import { isIPv6 } from "node:net";
import { defineScript, redis, redisKeys } from "#lib/platform/redis";
import { LocalWindows } from "./local.ts";

export { budgets, takeAmount } from "./amounts.ts";
export { type CallOutcome, takeCall } from "./calls.ts";

export interface Limit {
  max: number;
  windowSeconds: number;
}

export const limits = {
  signInPerAccountAndAddress: { max: 10, windowSeconds: 900 },
  // Guesses from many addresses. Known browsers and emails have their own limits.
  signInPerAccount: { max: 100, windowSeconds: 900 },
  signInPerDevice: { max: 10, windowSeconds: 900 },
  signInPerAddress: { max: 50, windowSeconds: 900 },
  passkeyPerAddress: { max: 50, windowSeconds: 900 },
  // Longer than a challenge is valid, so that each is accepted once.
  passkeyPerChallenge: { max: 1, windowSeconds: 900 },
  passkeyPerSession: { max: 20, windowSeconds: 900 },
  passwordPerSession: { max: 10, windowSeconds: 900 },
  factorPerAccount: { max: 10, windowSeconds: 900 },
  factorPerDevice: { max: 10, windowSeconds: 900 },
  factorPerEmailHolder: { max: 10, windowSeconds: 900 },
  factorPerConnectedAccount: { max: 10, windowSeconds: 900 },
  // Wrong codes after a right password. Beyond the first limit, the owner is notified at the rate of the second.
  wrongCodeMistyped: { max: 2, windowSeconds: 86_400 },
  wrongCodeAlert: { max: 1, windowSeconds: 21_600 },
  letterPerAccount: { max: 5, windowSeconds: 3_600 },
  letterPerAccountAndAddress: { max: 5, windowSeconds: 3_600 },
  letterPerDevice: { max: 5, windowSeconds: 3_600 },
  // No longer than an emailed link is valid, so the latest one always works.
  resetLetterPerAccount: { max: 5, windowSeconds: 3_600 },
  signInLetterPerAccount: { max: 5, windowSeconds: 900 },
  letterPerAddress: { max: 20, windowSeconds: 3_600 },
  proofPerAddress: { max: 20, windowSeconds: 900 },
  invitationPerAddress: { max: 30, windowSeconds: 900 },
  invitationPerWorkspace: { max: 100, windowSeconds: 86_400 },
  invitationPerPerson: { max: 50, windowSeconds: 86_400 },
  workspacePerPerson: { max: 20, windowSeconds: 86_400 },
  signUpPerAddress: { max: 20, windowSeconds: 3_600 },
  takenSignUpPerAddress: { max: 5, windowSeconds: 3_600 },
  logoutTokenPerAddress: { max: 120, windowSeconds: 60 },
  ssoLookUpPerAddress: { max: 30, windowSeconds: 900 },
  ssoCheckPerWorkspace: { max: 30, windowSeconds: 60 },
  adminTokenPerAddress: { max: 20, windowSeconds: 900 },
  unknownKeyPerAddress: { max: 60, windowSeconds: 60 },
  foreignExpansionPerCaller: { max: 20, windowSeconds: 3_600 },
  linkPasswordPerAddress: { max: 10, windowSeconds: 900 },
  linkPasswordPerLink: { max: 500, windowSeconds: 3_600 },
  formPerAddress: { max: 60, windowSeconds: 600 },
  formPerLink: { max: 3_000, windowSeconds: 60 },
  formPerPhone: { max: 30, windowSeconds: 3_600 },
  // Codes by SMS cost the workspace money, and disturb the owner of the phone.
  formCodePerPhoneAndMinute: { max: 1, windowSeconds: 60 },
  formCodePerPhone: { max: 5, windowSeconds: 3_600 },
  formCodePerAddress: { max: 20, windowSeconds: 600 },
  formCodePerLink: { max: 1_000, windowSeconds: 600 },
  socialImagePerWorkspace: { max: 120, windowSeconds: 3_600 },
  socialImagePerAddress: { max: 1_200, windowSeconds: 60 },
  qrPerAddress: { max: 1_200, windowSeconds: 60 },
  suggestionPerWorkspace: { max: 60, windowSeconds: 60 },
  destinationCheckPerWorkspace: { max: 60, windowSeconds: 3_600 },
  destinationPollPerWorkspace: { max: 30, windowSeconds: 60 },
  gatewayCheckPerWorkspace: { max: 30, windowSeconds: 60 },
  wechatCallPerWorkspace: { max: 60, windowSeconds: 60 },
  webhookTestPerWorkspace: { max: 60, windowSeconds: 60 },
  // Below the documented limits of the chats, which count on arrival.
  slackPerUrl: { max: 1, windowSeconds: 1 },
  wecomPerUrl: { max: 18, windowSeconds: 60 },
  dingtalkPerUrl: { max: 18, windowSeconds: 60 },
  feishuPerUrlAndSecond: { max: 4, windowSeconds: 1 },
  feishuPerUrl: { max: 90, windowSeconds: 60 },
  testMessagePerWorkspace: { max: 30, windowSeconds: 3_600 },
  gatewayTokenPerAddress: { max: 60, windowSeconds: 60 },
  publicTrackPerAddress: { max: 120, windowSeconds: 60 },
  // They wait for no longer than this.
  postponedLeadPerWorkspace: { max: 1_000, windowSeconds: 600 },
  iconPerWorkspace: { max: 600, windowSeconds: 60 },
  publicLinkPerAddress: { max: 30, windowSeconds: 3_600 },
  dailyPublicLinkPerAddress: { max: 100, windowSeconds: 86_400 },
  publicLinkPerWork: { max: 1, windowSeconds: 600 },
  domainCheckPerWorkspace: { max: 60, windowSeconds: 60 },
  reportPerAddress: { max: 10, windowSeconds: 3_600 },
  // For actors who only see masked phones: trying all numbers of a mask takes years.
  unseenOptOutsPerActor: { max: 20, windowSeconds: 86_400 },
  optOutPerAddress: { max: 600, windowSeconds: 3_600 },
  appealPerAddress: { max: 20, windowSeconds: 3_600 },
  // To people who may not know the workspace.
  reportConfirmationPerEmail: { max: 3, windowSeconds: 86_400 },
  reportConfirmationPerWorkspace: { max: 50, windowSeconds: 86_400 },
  sharePerAddress: { max: 1_200, windowSeconds: 60 },
  sharePasswordPerAddress: { max: 10, windowSeconds: 900 },
  sharePasswordPerShare: { max: 200, windowSeconds: 3_600 },
} satisfies Record<string, Limit>;
export type LimitName = keyof typeof limits;

declare const networkBrand: unique symbol;
/** Only `addressSubject` makes it, because a limit per full IPv6 address would limit nobody. */
export type Network = string & { readonly [networkBrand]: true };

/** Limits per address end with "Address" and take a network. */
export type OtherLimit = Exclude<LimitName, `${string}Address`>;
type SubjectOf<Name extends LimitName> = [Name] extends [OtherLimit] ? string : Network;
export type LimitCall =
  | readonly [OtherLimit, string]
  | readonly [Exclude<LimitName, OtherLimit>, Network];

export type Attempt =
  /** `refund` removes the attempt, for limits on failures. */
  { ok: true; refund: () => Promise<void> } | { ok: false; retryAfterSeconds: number };

const tryScript = `
local now, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local alone = cjson.decode(ARGV[5])
for _, attempt in ipairs(alone) do
  redis.call('ZADD', KEYS[1], attempt.at, attempt.id)
end
if #alone > 0 then
  redis.call('PEXPIRE', KEYS[1], window)
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then
  return redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2] + window - now
end
redis.call('ZADD', KEYS[1], now, ARGV[4])
redis.call('PEXPIRE', KEYS[1], window)
return 0`;

const tryShared = defineScript<
  [key: string, now: number, windowMs: number, max: number, id: string, alone: string],
  number
>({ purpose: "limits", name: "tryLimit", lua: tryScript, keys: 1 });

const local = new LocalWindows();

export async function tryLimit<Name extends LimitName>(
  name: Name,
  subject: SubjectOf<Name>,
  now = Date.now(),
): Promise<Attempt> {
  return await attemptOf(name, subject, now);
}

async function attemptOf(name: LimitName, subject: string, now = Date.now()): Promise<Attempt> {
  const { max, windowSeconds } = limits[name];
  const windowMs = windowSeconds * 1_000;
  const key = redisKeys.limit(name, digest(subject));
  const id = randomUUID();
  let waitMs: number;
  const alone = local.attemptsOf(key);
  try {
    waitMs = await tryShared(key, now, windowMs, max, id, JSON.stringify(alone));
    for (const attempt of alone) local.remove(key, attempt.id);
  } catch {
    // Redis is unavailable, so this process counts alone.
    waitMs = local.try(key, { now, windowMs, max, id });
  }
  if (waitMs > 0) return { ok: false, retryAfterSeconds: Math.ceil(waitMs / 1_000) };
  return {
    ok: true,
    refund: async () => {
      local.remove(key, id);
      await redis("limits")
        .zrem(key, id)
        .catch(() => undefined);
    },
  };
}

export async function tryLimits(all: readonly LimitCall[]): Promise<Attempt> {
  const refunds: (() => Promise<void>)[] = [];
  for (const [name, subject] of all) {
    const attempt = await attemptOf(name, subject);
    if (!attempt.ok) return attempt;
    refunds.push(attempt.refund);
  }
  return {
    ok: true,
    refund: async () => {
      await Promise.all(refunds.map((refund) => refund()));
    },
  };
}

function digest(subject: string): string {
  return createHash("sha256").update(subject).digest("base64url").slice(0, 22);
}

/** Owners of an IPv6 address have 2^64 of them, so we limit the network. The only cast to the brand. */
export function addressSubject(address: string, of?: string | number): Network {
  const bare = address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
  // defence: address-network
  const network = isIPv6(bare) ? networkOf(bare) : bare;
  return (of === undefined ? network : `${of} ${network}`) as Network;
}

function networkOf(address: string): string {
  const [head = "", tail] = address.split("::", 2);
  const groups = head === "" ? [] : head.split(":");
  if (tail !== undefined) {
    const after = tail === "" ? 0 : tail.split(":").length;
    while (groups.length < 8 - after && groups.length < 4) groups.push("0");
    if (tail !== "") groups.push(...tail.split(":"));
  }
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}
