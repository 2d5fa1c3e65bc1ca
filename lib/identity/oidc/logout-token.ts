/** Back-Channel Logout 1.0: a provider tells that it ended a session, or all sessions of a person. */
import { createLocalJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from "jose";
import * as oauth from "oauth4webapi";
import { z } from "zod";
import { redis, redisKeys } from "#lib/platform/redis";
import { type OidcServer, requestOptions } from "./server.ts";

const tokenCharsMax = 16_384;
const ageMaxSeconds = 120;
const toleranceSeconds = 30;
const eventName = "http://schemas.openid.net/event/backchannel-logout";
/** No symmetric ones: a client secret must not pass as a key. */
const algorithms = ["RS", "PS", "ES"].flatMap((kind) =>
  [256, 384, 512].map((size) => `${kind}${size}`),
);

const payloadShape = z
  .object({
    jti: z.string().min(1).max(255),
    iat: z.number(),
    sub: z.string().min(1).max(255).optional(),
    sid: z.string().min(1).max(255).optional(),
    events: z.object({ [eventName]: z.object({}) }),
    nonce: z.never().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined);

export interface LogoutToken {
  sub: string | undefined;
  sid: string | undefined;
}

/** Undefined: not a fresh logout token of this provider for this client, or one that was used before. */
export async function readLogoutToken(
  server: OidcServer,
  token: string,
): Promise<LogoutToken | undefined> {
  const { as, client } = server;
  if (token.length > tokenCharsMax) return undefined;
  const verified = await jwtVerify(token, keyFinder(server), {
    algorithms: [...algorithms, "EdDSA"],
    // defence: logout-token-issuer
    issuer: as.issuer,
    // defence: logout-token-audience
    audience: client.clientId,
    // defence: logout-token-age
    maxTokenAge: ageMaxSeconds,
    clockTolerance: toleranceSeconds,
  }).catch((error: unknown) => {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  });
  // defence: logout-token-shape
  const payload = payloadShape.safeParse(verified?.payload);
  if (!payload.success) return undefined;
  const { jti, sub, sid } = payload.data;
  // defence: logout-token-once
  if (!(await isFirstUse(client.key, jti))) return undefined;
  return { sub, sid };
}

async function isFirstUse(key: string, jti: string): Promise<boolean> {
  const name = redisKeys.logoutToken(key, jti);
  const seconds = ageMaxSeconds + 2 * toleranceSeconds;
  return (await redis().set(name, "1", "EX", seconds, "NX")) !== null;
}

const renewedAfterMs = 60_000;

/** Loads the keys again if the token names an unknown one, at most once a minute. */
function keyFinder({ as, keys, ...server }: OidcServer): JWTVerifyGetKey {
  const load = async () => {
    const options = requestOptions({ as, keys, ...server });
    const response = await options[oauth.customFetch](String(as.jwks_uri), {
      method: "GET",
      headers: { accept: "application/json" },
    });
    const jwks = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });
    Object.assign(keys, { jwks: jwks.parse(await response.json()), uat: nowSeconds() });
  };
  return async (header, token) => {
    if (!("jwks" in keys)) await load();
    try {
      return await createLocalJWKSet(Object(keys).jwks)(header, token);
    } catch (error) {
      const isUnknown = error instanceof errors.JWKSNoMatchingKey;
      const ageMs = (nowSeconds() - Number(Object(keys).uat)) * 1_000;
      if (!isUnknown || ageMs < renewedAfterMs) throw error;
      await load();
      return await createLocalJWKSet(Object(keys).jwks)(header, token);
    }
  };
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}
